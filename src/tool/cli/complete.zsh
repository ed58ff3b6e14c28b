#compdef bench-against
# zsh completion for bench-against, made by 'bench-against completion zsh'
_bench_against()
{
	local word text files='' line
	local -a found
	while IFS=$'\t' read -r word text; do
		case $word in
		:*) files=$word ;;
		*) found+=("${word//:/\\:}:$text") ;;
		esac
	done < <(${(Q)words[1]/#\~/$HOME} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
	(( $#found )) && _describe bench-against found
	[[ -n $files && $PREFIX == *=* ]] && compset -P '*='
	[[ $files == :file ]] && _files
	[[ $files == :dir ]] && _files -/
}
if [[ $funcstack[1] == _bench_against || $funcstack[1] == _bench-against ]]; then
	_bench_against "$@"
else
	compdef _bench_against bench-against
fi
