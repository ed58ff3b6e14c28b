# shellcheck shell=sh
# A Slurm cluster of this test's own: munged, slurmctld and several slurmd on this machine, with
# made-up GPUs, on ports and paths of its own. It needs root, but neither systemd nor cgroups.
#
#     . cluster.sh
#     cluster_enclose "$@"              in a process ID namespace, where there are any: nothing
#                                       survives the test, whatever kills it
#     cluster_need                      exits with 77 and the reason if there is no Slurm here
#     cluster_start DIR 'h200 2' 'h200 2' 'l4 1'
#                                       nodes n1, n2, n3: model and number of their GPUs, and
#                                       CPUs (default: 8 a node). Sets SLURM_CONF
#     cluster_node_stop n2 [SIGNAL]     the node's slurmd ends; its tasks go on (KILL)
#     cluster_node_crash n2             the node is gone, with all that ran there
#     cluster_node_start n2
#     cluster_stop                      also called when the shell exits
#
# CLUSTER_HIDDEN, a directory: each node sees an empty one of its own in its place.
# CLUSTER_TRASH, a directory: goes with the cluster.
# DIR should be short: it has a socket, whose path may have 107 characters.

cluster_programs='munged slurmctld slurmd sbatch squeue scontrol scancel srun sinfo sbcast'

cluster_skip()
{
	echo "skipped: $1"
	exit 77
}

cluster_need()
{
	[ "$(id -u)" -eq 0 ] || cluster_skip 'daemons of Slurm start several nodes only as root'
	for _program in $cluster_programs; do
		command -v "$_program" >/dev/null ||
			cluster_skip "$_program is not installed (slurmctld slurmd slurm-client munge)"
	done
}

cluster_enclose()
{
	[ -z "${CLUSTER_ENCLOSED-}" ] || return 0
	export CLUSTER_ENCLOSED=1
	if unshare --pid --mount-proc --fork true 2>/dev/null; then
		exec unshare --pid --mount-proc --fork --kill-child=KILL sh "$0" "$@"
	fi
}

# a daemon in the foreground, which dies with this shell
cluster_daemon()
{
	_name=$1
	shift
	setpriv --pdeathsig KILL "$@" >"$CLUSTER/log/$_name.out" 2>&1 &
	echo $! >"$CLUSTER/run/$_name.pid"
}

# cluster_wait SECONDS WHAT COMMAND...: until the command succeeds
cluster_wait()
{
	_seconds=$1 _what=$2
	shift 2
	_end=$(($(date +%s) + _seconds))
	until "$@" >/dev/null 2>&1; do
		if [ "$(date +%s)" -ge "$_end" ]; then
			echo "after $_seconds s: no $_what" >&2
			tail -n 5 "$CLUSTER"/log/* >&2
			return 1
		fi
		sleep 0.1
	done
}

cluster_port()
{
	python3 - "$1" <<-'END'
		import random, socket, sys
		wanted = int(sys.argv[1])
		while True:
		    first = random.randrange(20000, 32000)
		    try:
		        held = []
		        for port in range(first, first + wanted):
		            held.append(socket.socket())
		            held[-1].bind(("127.0.0.1", port))
		    except OSError:
		        continue
		    print(first)
		    break
	END
}

cluster_conf()
{
	_port=$(cluster_port $(($# + 1)))
	cat >"$SLURM_CONF" <<-END
		ClusterName=test
		SlurmctldHost=$(uname -n | sed 's/\..*//')(127.0.0.1)
		SlurmctldPort=$_port
		SlurmUser=root
		AuthType=auth/munge
		CredType=cred/munge
		AuthInfo=socket=$CLUSTER/run/munge
		StateSaveLocation=$CLUSTER/state
		SlurmdSpoolDir=$CLUSTER/spool/%n
		SlurmctldPidFile=$CLUSTER/run/ctld.own
		SlurmdPidFile=$CLUSTER/run/%n.own
		SlurmctldLogFile=$CLUSTER/log/ctld
		SlurmdLogFile=$CLUSTER/log/%n
		SlurmctldParameters=max_dbd_msg_action=discard
		SlurmdParameters=config_overrides
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		MailProg=/bin/true
		TaskProlog=$CLUSTER/etc/prolog
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerType=sched/builtin
		SchedulerParameters=batch_sched_delay=0,sched_interval=1
		GresTypes=gpu
		ReturnToService=2
		SlurmdTimeout=${CLUSTER_NODE_TIMEOUT:-10}
		MessageTimeout=${CLUSTER_MESSAGE_TIMEOUT:-30}
		BatchStartTimeout=60
		InactiveLimit=0
		KillWait=2
		MinJobAge=${CLUSTER_JOB_AGE:-300}
		MaxArraySize=1001
		PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	# its lines "export NAME=VALUE" count, and "print" writes into the output of every task
	printf '#!/bin/sh\necho "print welcome to the cluster"\n' >"$CLUSTER/etc/prolog"
	chmod 755 "$CLUSTER/etc/prolog"
	echo 'CgroupPlugin=cgroup/v1' >"$CLUSTER/etc/cgroup.conf"
	_node=0
	for _kind in "$@"; do
		_node=$((_node + 1))
		# shellcheck disable=SC2086 # words: model, GPUs, CPUs
		set -- $_kind
		_last=$(($2 - 1))
		for _gpu in $(seq 0 $_last); do
			ln -s /dev/null "$CLUSTER/dev/n$_node-gpu$_gpu"
		done
		echo "NodeName=n$_node NodeAddr=127.0.0.1 NodeHostname=$(uname -n | sed 's/\..*//')" \
			"Port=$((_port + _node)) CPUs=${3:-8} RealMemory=100000 Gres=gpu:$1:$2 State=UNKNOWN" \
			>>"$SLURM_CONF"
		echo "NodeName=n$_node Name=gpu Type=$1 File=$CLUSTER/dev/n$_node-gpu[0-$_last]" \
			>>"$CLUSTER/etc/gres.conf"
	done
	CLUSTER_NODES=$(seq -f 'n%g' 1 $_node)
}

cluster_start()
{
	CLUSTER=$1 CLUSTER_NODES=
	shift
	export SLURM_CONF="$CLUSTER/etc/slurm.conf"
	for _dir in etc run log state spool dev; do
		mkdir -p "$CLUSTER/$_dir"
	done
	chmod 755 "$CLUSTER" "$CLUSTER/run"
	trap cluster_stop EXIT
	trap 'exit 130' INT TERM HUP
	dd if=/dev/urandom of="$CLUSTER/etc/munge.key" bs=128 count=1 2>/dev/null
	chmod 400 "$CLUSTER/etc/munge.key"
	cluster_conf "$@"
	cluster_daemon munged munged --foreground --force --socket="$CLUSTER/run/munge" \
		--key-file="$CLUSTER/etc/munge.key" --pid-file="$CLUSTER/run/munged.own" \
		--seed-file="$CLUSTER/run/munge.seed" --log-file="$CLUSTER/log/munged"
	cluster_wait 20 munged test -S "$CLUSTER/run/munge" || return 1
	cluster_daemon ctld slurmctld -D
	cluster_wait 30 slurmctld scontrol ping || return 1
	for _node in $CLUSTER_NODES; do
		cluster_node_start "$_node"
	done
	for _node in $CLUSTER_NODES; do
		cluster_wait 60 "idle $_node" cluster_node_is "$_node" idle || return 1
	done
}

# cluster_node_is n1 idle: sinfo's word for it
cluster_node_is()
{
	sinfo --noheader --nodes="$1" --format=%T | grep -qx "$2"
}

cluster_node_start()
{
	mkdir -p "$CLUSTER/spool/$1"
	# shellcheck disable=SC2016 # of that shell
	if [ -n "${CLUSTER_HIDDEN-}" ]; then
		cluster_daemon "$1" unshare --mount sh -c 'mount -t tmpfs none "$1" && exec slurmd -D -N "$2"' \
			sh "$CLUSTER_HIDDEN" "$1"
	else
		cluster_daemon "$1" slurmd -D -N "$1"
	fi
}

# cluster_end NAME SIGNAL: the daemon, and wait for it
cluster_end()
{
	[ -f "$CLUSTER/run/$1.pid" ] || return 0
	_pid=$(cat "$CLUSTER/run/$1.pid")
	rm -f "$CLUSTER/run/$1.pid"
	kill -s "$2" "$_pid" 2>/dev/null || return 0
	wait "$_pid" 2>/dev/null || true
}

cluster_node_stop()
{
	cluster_end "$1" "${2-KILL}"
}

# processes whose environment has this word
cluster_processes()
{
	for _process in /proc/[0-9]*; do
		_pid=${_process#/proc/}
		[ "$_pid" != $$ ] && tr '\0' '\n' 2>/dev/null <"$_process/environ" |
			grep -qxF -- "$1" && echo "$_pid"
	done 2>/dev/null
	return 0
}

cluster_node_crash()
{
	cluster_end "$1" KILL
	_tasks=$(cluster_processes "SLURMD_NODENAME=$1")
	# first those that watch tasks and would report their end
	for _pid in $_tasks; do
		_parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$_pid/status" 2>/dev/null) || continue
		grep -qx slurmstepd "/proc/$_parent/comm" 2>/dev/null && kill -KILL "$_parent" || true
	done
	for _pid in $_tasks; do
		kill -KILL "$_pid" 2>/dev/null || true
	done
}

cluster_stop()
{
	_status=$?
	trap - EXIT
	[ -n "${CLUSTER-}" ] || exit $_status
	for _node in $CLUSTER_NODES; do
		cluster_node_stop "$_node"
	done
	cluster_end ctld KILL
	cluster_end munged TERM
	# what the daemons left: tasks, and the slurmstepd that watch them
	for _pid in $(cluster_processes "SLURM_CONF=$SLURM_CONF"); do
		kill -KILL "$_pid" 2>/dev/null || true
	done
	[ -n "${CLUSTER_KEEP-}" ] || rm -rf "$CLUSTER" "${CLUSTER_TRASH-}"
	exit $_status
}
