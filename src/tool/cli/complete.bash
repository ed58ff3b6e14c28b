# bash completion for bench-against, made by 'bench-against completion bash'
_bench_against()
{
	local cur=${COMP_WORDS[COMP_CWORD]} word text IFS=$' \t\n'
	COMPREPLY=()
	[[ $cur == '=' ]] && cur=''
	# a ref may hold $(...): it is read as text and never expanded
	while IFS=$'\t' read -r word text; do
		case $word in
		:file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
		:dir) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
		*) COMPREPLY+=("$(printf %q "$word")") ;;
		esac
	done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _bench_against bench-against
