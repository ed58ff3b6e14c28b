#compdef bench-against
# zsh completion for bench-against, made by 'bench-against completion zsh'
_bench_against_variants()
{
	local -a refs
	refs=(HEAD WORKTREE ${(f)"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
	compadd -a refs
}
_bench_against_first()
{
	local -a commands
	commands=(
@{commands}
	)
	_describe command commands
	_bench_against_variants
}
_bench_against()
{
	local command=''
	if (( CURRENT > 2 )); then
		case $words[2] in
		@{pattern})
			command=$words[2]
			shift words
			(( CURRENT-- ))
			;;
		esac
	fi
	case $command in
@{chapters}
	esac
}
if [[ $funcstack[1] == _bench_against || $funcstack[1] == _bench-against ]]; then
	_bench_against "$@"
else
	compdef _bench_against bench-against
fi
