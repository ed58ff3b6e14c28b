#!/bin/sh
# shells.sh TOOL: do bash, zsh and fish complete what the tool says they should? Each shell
# that is here is asked; the manual page is read by man. 77 where none of them is.
set -u
tool=$1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 129' HUP INT TERM
export HOME="$top" XDG_CONFIG_HOME="$top/config" XDG_DATA_HOME="$top/data" TERM=dumb
PATH=$(dirname "$tool"):$PATH
bad=0 ran=0
cd "$top" || exit 1
git init -q . && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m one &&
	git branch feature/fast && git tag v1.0 &&
	git update-ref 'refs/heads/$(touch${IFS}pwned)' HEAD || exit 1
: >results.json

# SHELL WORDS EXPECTED...: each expected word is offered; a word with '!' is not
check()
{
	asked="$1: $2"
	answer=$("complete_$1" "$2") || {
		echo "shells.sh: $asked: ended with status $?" >&2
		bad=$((bad + 1))
	}
	shift 2
	for word in "$@"; do
		case $word in
		!*) wanted=1 word=${word#!} ;;
		*) wanted=0 ;;
		esac
		found=1
		echo "$answer" | grep -qxF -e "$word" && found=0
		[ $found -eq $wanted ] && continue
		echo "shells.sh: $asked: '$word' offered: $found (0 yes, 1 no), wanted $wanted:" \
			"$(echo "$answer" | tr '\n' ' ' | cut -c1-300)" >&2
		bad=$((bad + 1))
	done
}

# the words of a line as bash splits them, '=' too, put where bash puts them
complete_bash()
{
	bash --norc --noprofile -c '
		source "$1"
		read -ra COMP_WORDS <<<"${2//=/ = }"
		[[ $2 == *" " || $2 == *= ]] && [[ $2 != *= ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_bench_against
		printf "%s\n" "${COMPREPLY[@]}"' - "$top/bash" "$1"
}

complete_fish()
{
	fish --no-config -c "source $top/fish; complete -C '$1'" | cut -f1
}

# the whole of zsh's machinery, on a terminal of its own
complete_zsh()
{
	zsh -f "$top/ask.zsh" "$1"
}
cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; unsetopt beep; autoload -Uz compinit; compinit -u -D; source $HOME/zsh"
zpty -w z 'list() { compadd() { [[ $@[(I)-[OAD]] -gt 0 ]] && { builtin compadd "$@"; return; }; local -a got; builtin compadd -O got "$@"; print -rl -- "GOT "$^got; builtin compadd "$@"; }; _main_complete; print -r -- DONE; compstate[list]=; compstate[insert]=; }'
zpty -w z 'zle -C list complete-word list; bindkey "^I" list; print -r READY-"NOW"'
zpty -r -m z out '*READY-NOW*'
zpty -w -n z "$1"$'\t'
zpty -r -m z out '*DONE*'
print -r -- "$out" | tr -d '\r' | sed -n 's/.*GOT //p'
END

for shell in bash zsh fish; do
	"$tool" completion $shell >"$shell" || exit 1
	command -v $shell >/dev/null 2>&1 || continue
	ran=$((ran + 1))
	check $shell "bench-against " run cache HEAD WORKTREE feature/fast v1.0
	check $shell "bench-against cac" cache '!run'
	check $shell "bench-against --thr" --threshold '!--thorough'
	check $shell "bench-against calibrate --th" --threshold --thorough
	check $shell "bench-against --target " gpu host '!fake'
	check $shell "bench-against run fea" feature/fast '!v1.0'
	check $shell "bench-against cache pr" prune '!path'
	check $shell "bench-against verify res" results.json
	check $shell "bench-against -o res" results.json
done
if command -v bash >/dev/null 2>&1; then
	check bash "bench-against --gate=" on strict off
	check bash "bench-against --gate=st" strict '!on'
	check bash "bench-against old=v" v1.0 '!run'
fi
[ ! -e pwned ] || {
	echo "shells.sh: the name of a ref was executed" >&2
	bad=$((bad + 1))
}

# the manual: no warning of the formatter, and every command has its part
"$tool" manual >page.1 || exit 1
if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
	ran=$((ran + 1))
	warnings=$(man --warnings -l page.1 2>&1 >page.txt)
	[ -z "$warnings" ] || {
		echo "shells.sh: man: $warnings" >&2
		bad=$((bad + 1))
	}
	for command in run list cache completion; do
		grep -q "^   $command\$" page.txt || {
			echo "shells.sh: the manual has no part '$command'" >&2
			bad=$((bad + 1))
		}
	done
fi
[ $ran -gt 0 ] || {
	echo "no bash, zsh, fish or man here"
	exit 77
}
[ $bad -eq 0 ] && echo "$ran of bash, zsh, fish and man agree"
