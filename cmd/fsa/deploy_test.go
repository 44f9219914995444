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

// checkGridCall checks the command that a launcher is given: one of this program, on a grid, that goes on from
// a checkpoint. It returns what stands before it.
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

// The scripts for clusters ask for what a grid needs, and start the program as it wants to be started.
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

// podSpec is what the manifest says of a pod, as far as it says anything.
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

// The manifest has the fields that the MPI operator knows and no others, and they fit together.
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
