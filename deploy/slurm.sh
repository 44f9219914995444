#!/bin/bash
# A fit on several machines of a Slurm cluster, one process to a machine:
#
#   DATA='data/*.parquet' TARGET=y FLAGS='-k 10 --quick' sbatch deploy/slurm.sh
#
# DATA may be objects of a store, 's3://bucket/data/*.parquet'. The job goes on from the checkpoint
# in OUT when it is started again, also with another number of machines: sbatch --nodes=8 ...
#SBATCH --job-name=fsa
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=64G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail
: "${DATA:?the table to fit, such as data/*.parquet}" "${TARGET:?the column of the response}"
read -ra flags <<< "${FLAGS:-}"
exec srun --mpi="${MPI:-pmix}" --cpu-bind=cores \
  fsa fit "$DATA" --target "$TARGET" --grid auto --resume --out "${OUT:-run}" "${flags[@]}"
