package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"fsa/internal/need"
)

// checkGridCall checks the command that a launcher is given: a command of this program, on a grid,
// that resumes from a checkpoint. It returns what precedes it.
func checkGridCall(t *testing.T, where string, words []string) []string {
	t.Helper()
	at := slices.Index(words, "fsa")
	if at < 0 {
		t.Fatalf("%s starts no fsa: %q", where, words)
	}
	call := words[at:]
	checkCall(t, where, strings.Join(call, " "), true)
	for _, flag := range []string{"--grid", "--resume", "--out"} {
		if !slices.Contains(call, flag) {
			t.Errorf("%s: %s is missing", where, flag)
		}
	}
	return words[:at]
}

// The scripts for clusters request what a grid needs, and start the program with valid arguments.
func TestDeployScripts(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "a system that clusters with these schedulers run")
	bash := need.Program(t, "apt-get install bash", "bash")
	nodes := file(t, "nodes", "a\nb\nc\n")
	for script, c := range map[string]struct {
		launcher   string
		directives []string
		before     []string // words of the launcher
	}{
		"slurm.sh": {"srun", []string{"#SBATCH --nodes=", "#SBATCH --ntasks-per-node=1", "#SBATCH --cpus-per-task=", "#SBATCH --time=", "#SBATCH --requeue", "#SBATCH --signal=TERM@"}, []string{"--mpi=pmix", "--cpu-bind=cores"}},
		"pbs.sh":   {"mpirun", []string{"#PBS -l select=", ":mpiprocs=1", "#PBS -l walltime=", "#PBS -r y"}, []string{"-n", "3", "-hostfile", nodes}},
	} {
		path := filepath.Join("../../deploy", script)
		text := string(read(t, path))
		for _, d := range c.directives {
			if !strings.Contains(text, d) {
				t.Errorf("%s: %q is missing", script, d)
			}
		}
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, c.launcher), []byte("#!/bin/bash\nprintf '%s\\n' \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		run := func(env ...string) (string, error) {
			cmd := exec.Command(bash, path)
			cmd.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "PBS_NODEFILE=" + nodes}, env...)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := run("TARGET=y"); err == nil || !strings.Contains(out, "DATA") {
			t.Errorf("%s without a table: %v, %s", script, err, out)
		}
		out, err := run("TARGET=y", "DATA=data/*.parquet", "FLAGS=-k 10 --quick")
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		words := strings.Split(strings.TrimSpace(out), "\n")
		if got := checkGridCall(t, script, words); !slices.Equal(got, c.before) {
			t.Errorf("%s: the launcher is given %q, want %q", script, got, c.before)
		}
		for _, want := range []string{"data/*.parquet", "-k", "--quick"} { // as they were given
			if !slices.Contains(words, want) {
				t.Errorf("%s: %q is not passed on: %q", script, want, words)
			}
		}
	}
}

// podSpec holds the fields of a pod in the manifest.
type podSpec struct {
	Containers []struct {
		Name, Image     string
		Command, Args   []string
		SecurityContext struct {
			RunAsUser int `yaml:"runAsUser"`
		} `yaml:"securityContext"`
		EnvFrom []struct {
			SecretRef struct{ Name string } `yaml:"secretRef"`
		} `yaml:"envFrom"`
		Resources struct{ Limits struct{ CPU, Memory string } }
		Mounts    []struct {
			Name string
			Path string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	}
	Volumes []struct {
		Name  string
		Claim struct {
			Name string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

type replicas struct {
	Replicas      int
	RestartPolicy string `yaml:"restartPolicy"`
	Template      struct{ Spec podSpec }
}

// The manifest has only fields that the MPI operator knows, and they are consistent.
func TestDeployMPIJob(t *testing.T) {
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Slots     int    `yaml:"slotsPerWorker"`
			SSH       string `yaml:"sshAuthMountPath"`
			RunPolicy struct {
				CleanPodPolicy string `yaml:"cleanPodPolicy"`
				BackoffLimit   int    `yaml:"backoffLimit"`
			} `yaml:"runPolicy"`
			Replicas struct {
				Launcher replicas `yaml:"Launcher"`
				Worker   replicas `yaml:"Worker"`
			} `yaml:"mpiReplicaSpecs"`
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(read(t, "../../deploy/mpijob.yaml")))
	d.KnownFields(true)
	if err := d.Decode(&job); err != nil {
		t.Fatal(err)
	}
	s := &job.Spec
	if job.APIVersion != "kubeflow.org/v2beta1" || job.Kind != "MPIJob" || job.Metadata.Name == "" || s.SSH == "" {
		t.Errorf("this is no job of the MPI operator: %+v", job)
	}
	launcher, worker := &s.Replicas.Launcher, &s.Replicas.Worker
	if len(launcher.Template.Spec.Containers) != 1 || len(worker.Template.Spec.Containers) != 1 || launcher.Replicas != 1 || worker.Replicas < 2 {
		t.Fatalf("one launcher and several workers of one container each are wanted: %+v", s.Replicas)
	}
	if launcher.RestartPolicy != "OnFailure" || s.RunPolicy.BackoffLimit < 1 {
		t.Errorf("a launcher that fails is not started again: %q, %d times", launcher.RestartPolicy, s.RunPolicy.BackoffLimit)
	}
	l, w := &launcher.Template.Spec.Containers[0], &worker.Template.Spec.Containers[0]
	if l.Image != w.Image || l.SecurityContext != w.SecurityContext || w.Resources.Limits.Memory == "" || !slices.Equal(l.Command, []string{"mpirun"}) {
		t.Errorf("launcher and worker do not fit together: %+v, %+v", l, w)
	}
	before := checkGridCall(t, "mpijob.yaml", l.Args)
	if n, err := strconv.Atoi(before[slices.Index(before, "-n")+1]); err != nil || n != worker.Replicas*s.Slots {
		t.Errorf("%q starts another number of processes than there are slots: %d workers of %d", before, worker.Replicas, s.Slots)
	}
	// The first process, which writes the run, is on a worker.
	out := l.Args[slices.Index(l.Args, "--out")+1]
	if len(w.Mounts) != 1 || !strings.HasPrefix(out, w.Mounts[0].Path+"/") || len(worker.Template.Spec.Volumes) != 1 || worker.Template.Spec.Volumes[0].Name != w.Mounts[0].Name || worker.Template.Spec.Volumes[0].Claim.Name == "" {
		t.Errorf("%s is on no volume that stays: %+v, %+v", out, w.Mounts, worker.Template.Spec.Volumes)
	}
}

// The manifest of an indexed Job has only fields that are checked here, and they are consistent.
func TestDeployJob(t *testing.T) {
	type env struct {
		Name string
		From struct {
			Field struct {
				Path string `yaml:"fieldPath"`
			} `yaml:"fieldRef"`
			Secret struct{ Name, Key string } `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	var service struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			ClusterIP string `yaml:"clusterIP"`
			NotReady  bool   `yaml:"publishNotReadyAddresses"`
			Selector  map[string]string
		}
	}
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Mode         string `yaml:"completionMode"`
			Completions  int
			Parallelism  int
			BackoffLimit int `yaml:"backoffLimit"`
			Template     struct {
				Spec struct {
					Subdomain     string
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Name, Image   string
						Command, Args []string
						Env           []env
						EnvFrom       []struct {
							Secret struct{ Name string } `yaml:"secretRef"`
						} `yaml:"envFrom"`
						Resources struct{ Limits struct{ CPU, Memory string } }
						Mounts    []struct {
							Name string
							Path string `yaml:"mountPath"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name  string
						Claim struct {
							Name string `yaml:"claimName"`
						} `yaml:"persistentVolumeClaim"`
					}
				}
			}
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(read(t, "../../deploy/job.yaml")))
	d.KnownFields(true)
	for _, to := range []any{&service, &job} {
		if err := d.Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	s, pod := &job.Spec, &job.Spec.Template.Spec
	if service.APIVersion != "v1" || service.Kind != "Service" || service.Spec.ClusterIP != "None" || !service.Spec.NotReady || service.Spec.Selector["job-name"] != job.Metadata.Name {
		t.Errorf("the service does not name the pods of the job: %+v", service)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || s.Mode != "Indexed" || s.Completions != s.Parallelism || s.BackoffLimit < s.Completions || pod.RestartPolicy != "OnFailure" {
		t.Errorf("this is no job whose pods run together and are started again: %+v", s)
	}
	if len(pod.Containers) != 1 || pod.Subdomain != service.Metadata.Name {
		t.Fatalf("one container, and the name of the service, are wanted: %+v", pod)
	}
	c := &pod.Containers[0]
	words := slices.Clone(c.Args)
	rank := slices.Index(words, "$(RANK)")
	if rank < 0 || words[rank-1] != "--rank" || c.Env[0].Name != "RANK" || c.Env[0].From.Field.Path != "metadata.annotations['batch.kubernetes.io/job-completion-index']" {
		t.Fatalf("the rank is not the index of the pod: %q, %+v", words, c.Env)
	}
	words[rank] = "0"
	if before := checkGridCall(t, "job.yaml", slices.Concat(c.Command, words)); len(before) > 0 {
		t.Errorf("%q comes before the program", before)
	}
	after := func(flag string) string { return words[slices.Index(words, flag)+1] }
	if got, want := after("--rendezvous"), job.Metadata.Name+"-0."+service.Metadata.Name+":4711"; got != want {
		t.Errorf("processes meet at %s, and the first pod is %s", got, want)
	}
	r := rendezvous{at: []string{after("--rendezvous")}}
	if n, err := r.size(after("--grid")); err != nil || n != s.Completions {
		t.Errorf("a grid of %d processes, %v, for %d pods", n, err, s.Completions)
	}
	if c.Env[1].Name != tokenVariable || c.Env[1].From.Secret.Name == "" || c.Env[1].From.Secret.Key == "" {
		t.Errorf("the token comes from no secret: %+v", c.Env)
	}
	if len(c.Mounts) != 1 || !strings.HasPrefix(after("--out"), c.Mounts[0].Path+"/") || len(pod.Volumes) != 1 || pod.Volumes[0].Name != c.Mounts[0].Name || pod.Volumes[0].Claim.Name == "" {
		t.Errorf("%s is on no volume that stays: %+v, %+v", after("--out"), c.Mounts, pod.Volumes)
	}
}
