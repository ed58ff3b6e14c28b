# fish completion for bench-against, made by 'bench-against completion fish'
set -g __bench_against_commands @{names}
function __bench_against_is
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
end
function __bench_against_variants
    printf '%s\n' HEAD WORKTREE
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end
complete -c bench-against -f
@{chapters}
