# bash completion for bench-against, made by 'bench-against completion bash'
_bench_against_commands='@{names} help'
_bench_against_tables()
{
	case $command in
@{options}
	esac
}
_bench_against_value()
{
	case $1 in
@{values}
	esac
}
_bench_against_operands()
{
	case $command in
@{operands}
	esac
}
_bench_against()
{
	local cur prev i command='' options='' value=none words='' optional=''
	local IFS=$' \t\n'
	cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	# --gate=strict comes as three words
	local joined=''
	if [[ $cur == '=' ]]; then
		cur='' joined=1
	elif [[ $prev == '=' && $COMP_CWORD -ge 2 ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]} joined=1
	fi
	COMPREPLY=()
	if [[ $COMP_CWORD -ge 2 && " $_bench_against_commands " == *" ${COMP_WORDS[1]} "* ]]; then
		command=${COMP_WORDS[1]}
	fi
	_bench_against_tables
	if [[ $prev == -* ]]; then
		_bench_against_value "$command $prev"
		# --color alone is complete: its value needs the '='
		if [[ -n $optional && -z $joined ]]; then value=none; fi
	elif [[ -n $joined ]]; then
		value=variants # LABEL=REV
	fi
	if [[ $value == none ]]; then
		if [[ $cur == -* ]]; then
			COMPREPLY=($(compgen -W "$options" -- "$cur"))
			return
		fi
		value=variants
		_bench_against_operands
		if [[ $COMP_CWORD -eq 1 ]]; then
			COMPREPLY=($(compgen -W "$_bench_against_commands" -- "$cur"))
		fi
	fi
	case $value in
	file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
	dir) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
	word) COMPREPLY+=($(compgen -W "$words" -- "$cur")) ;;
	variants)
		local line
		# a ref may hold $(...): it is compared as text and never expanded
		while IFS= read -r line; do
			if [[ -n $line && $line == "$cur"* ]]; then COMPREPLY+=("$(printf %q "$line")"); fi
		done < <(printf '%s\n' HEAD WORKTREE; git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)
		;;
	esac
}
complete -F _bench_against bench-against
