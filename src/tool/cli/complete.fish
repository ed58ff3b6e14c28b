# fish completion for bench-against, made by 'bench-against completion fish'
function __bench_against
    set -l word (commandline -ct)
    set -l words (commandline -opc) "$word"
    set -l glue (string match -r '^-[^=]*=' -- "$word")
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        switch $line
            case :file
                printf "$glue%s\n" (__fish_complete_path (string replace -- "$glue" '' "$word"))
            case :dir
                printf "$glue%s\n" (__fish_complete_directories (string replace -- "$glue" '' "$word"))
            case '*'
                echo $line
        end
    end
end
complete -c bench-against -f -a '(__bench_against)'
