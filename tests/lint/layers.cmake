# cmake -DROOT=... -P layers.cmake: does every include of ROOT/src follow src/layers.txt?
# Prints each that does not, with its file, and fails.
#
#  - "module/x.h" only from the module itself or from one whose row names it; everybody may
#    include base, which includes nobody
#  - a row names only rows above it, so that arrows cannot make a circle
#  - <foreign.h> only in the module that owns it
#  - launchcfg includes nothing of ours: it is a library of its own
cmake_minimum_required(VERSION 3.22)
set(complaints 0)

function(complain where sentence)
        message("${where}: ${sentence}")
        math(EXPR count "${complaints} + 1")
        set(complaints ${count} PARENT_SCOPE)
endfunction()

# ---- the rows: may_<module>, owns_<module>, all in the order of the file ----
set(modules)
file(STRINGS ${ROOT}/src/layers.txt rows)
foreach(row IN LISTS rows)
        if(row MATCHES "^#" OR row MATCHES "^[ \t]*$")
                continue()
        elseif(NOT row MATCHES "^([a-z]+):([^|]*)\\|(.*)$")
                complain("src/layers.txt" "not 'module: modules | headers': ${row}")
                continue()
        endif()
        set(module ${CMAKE_MATCH_1})
        separate_arguments(may_${module} UNIX_COMMAND "${CMAKE_MATCH_2}")
        separate_arguments(owns_${module} UNIX_COMMAND "${CMAKE_MATCH_3}")
        foreach(below IN LISTS may_${module})
                if(NOT below IN_LIST modules)
                        complain("src/layers.txt"
                                "${module} may include ${below}, which is no row above it")
                endif()
        endforeach()
        list(APPEND modules ${module})
        if(NOT IS_DIRECTORY ${ROOT}/src/${module})
                complain("src/layers.txt" "there is no src/${module}")
        endif()
endforeach()

file(GLOB directories LIST_DIRECTORIES true RELATIVE ${ROOT}/src ${ROOT}/src/*)
foreach(directory IN LISTS directories)
        if(IS_DIRECTORY ${ROOT}/src/${directory} AND NOT directory IN_LIST modules)
                complain("src/${directory}" "has no row in src/layers.txt")
        endif()
endforeach()

# ---- the includes ----
function(check_quoted where module header)
        string(REGEX REPLACE "/.*" "" other "${header}")
        if(NOT header MATCHES "/" OR other STREQUAL "bench_against"
           OR other STREQUAL module)
                return() # a neighbour, a generated or a public header
        elseif(module STREQUAL "launchcfg")
                set(why "launchcfg stands alone")
        elseif(other STREQUAL "base" OR other IN_LIST may_${module})
                return()
        elseif(other IN_LIST modules)
                set(why "src/layers.txt does not let ${module} include ${other}")
        else()
                set(why "no module '${other}'")
        endif()
        complain(${where} "\"${header}\": ${why}")
        set(complaints ${complaints} PARENT_SCOPE)
endfunction()

# a header may have two owners
function(check_foreign where module header)
        foreach(prefix IN LISTS owns_${module})
                string(FIND "${header}" "${prefix}" at)
                if(at EQUAL 0)
                        return()
                endif()
        endforeach()
        foreach(owner IN LISTS modules)
                foreach(prefix IN LISTS owns_${owner})
                        string(FIND "${header}" "${prefix}" at)
                        if(at EQUAL 0 AND NOT owner STREQUAL module)
                                complain(${where} "<${header}> belongs to ${owner}")
                        endif()
                endforeach()
        endforeach()
        set(complaints ${complaints} PARENT_SCOPE)
endfunction()

set(files 0)
foreach(module IN LISTS modules)
        file(GLOB_RECURSE sources RELATIVE ${ROOT}
                ${ROOT}/src/${module}/*.c ${ROOT}/src/${module}/*.h)
        foreach(source IN LISTS sources)
                math(EXPR files "${files} + 1")
                file(STRINGS ${ROOT}/${source} lines REGEX "^[ \t]*#[ \t]*include")
                foreach(line IN LISTS lines)
                        if(line MATCHES "include[ \t]*\"([^\"]+)\"")
                                check_quoted(${source} ${module} ${CMAKE_MATCH_1})
                        elseif(line MATCHES "include[ \t]*<([^>]+)>")
                                check_foreign(${source} ${module} ${CMAKE_MATCH_1})
                        endif()
                endforeach()
        endforeach()
endforeach()

list(LENGTH modules count)
if(complaints OR files EQUAL 0)
        message(FATAL_ERROR "${complaints} includes or rows are wrong (${files} files)")
endif()
message("${files} files of ${count} modules follow src/layers.txt")
