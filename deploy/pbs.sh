#!/bin/bash
# A fit on several machines of a PBS cluster, one process to a machine:
#
#   qsub -v DATA='data/*.parquet',TARGET=y,FLAGS='-k 10 --quick' deploy/pbs.sh
#
# DATA may be objects of a store, 's3://bucket/data/*.parquet'. The job goes on from the checkpoint
# in OUT when it is started again, also with another number of machines: qsub -l select=8:...
#PBS -N fsa
#PBS -l select=4:ncpus=16:mpiprocs=1:mem=64gb
#PBS -l walltime=04:00:00
#PBS -r y
set -euo pipefail
cd "${PBS_O_WORKDIR:-.}"
: "${DATA:?the table to fit, such as data/*.parquet}" "${TARGET:?the column of the response}"
read -ra flags <<< "${FLAGS:-}"
processes=$(wc -l < "$PBS_NODEFILE")
exec mpirun -n "$((processes))" -hostfile "$PBS_NODEFILE" \
  fsa fit "$DATA" --target "$TARGET" --grid auto --resume --out "${OUT:-run}" "${flags[@]}"
