# src/layers.txt says which modules there are, in which folder each lies, and what it may include.
# BA_SOURCE_FOLDERS: where "MODULE/file.h" is looked for.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
set(BA_SOURCE_FOLDERS)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt rows REGEX "^[a-z]+/")
foreach(row IN LISTS rows)
        string(REGEX MATCH "^([a-z]+)/([a-z]+):([^|]*)" row "${row}")
        list(APPEND BA_SOURCE_FOLDERS ${PROJECT_SOURCE_DIR}/src/${CMAKE_MATCH_1})
        set(BA_FOLDER_OF_${CMAKE_MATCH_2} ${CMAKE_MATCH_1})
        separate_arguments(below UNIX_COMMAND "${CMAKE_MATCH_3}")
        # drivers are loaded, and only their headers are included
        list(REMOVE_ITEM below nulldriver observer)
        list(TRANSFORM below PREPEND ba_)
        set(BA_BELOW_${CMAKE_MATCH_2} ${below})
endforeach()
list(REMOVE_DUPLICATES BA_SOURCE_FOLDERS)

# -DBA_PCH=ON, as cmake/check.sh has it: base.h and the headers of libc, a third of the time of most
# compilations, are read once for all modules and once for all tests. ccache then needs
# CCACHE_SLOPPINESS=pch_defines,time_macros. Builds without it find a missing include.
option(BA_PCH "precompile base.h" OFF)
set(BA_BASE_HEADER ${PROJECT_SOURCE_DIR}/src/lib/base/base.h)
# ba_pch(TARGET HEADER...): precompiles them for TARGET, if its flags are its own
# ba_pch(TARGET REUSE_FROM OTHER): TARGET has the flags of OTHER, and takes what OTHER has
# A folder with C++ has the names of precompiled headers from that compiler.
function(ba_pch target)
        if(NOT BA_PCH OR (CMAKE_CXX_COMPILER_ID AND NOT CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID))
                return()
        elseif("${ARGV1}" STREQUAL REUSE_FROM)
                target_precompile_headers(${target} REUSE_FROM ${ARGV2})
        else()
                target_precompile_headers(${target} PRIVATE ${ARGN})
        endif()
endfunction()

# ba_module(NAME [LIBS...]): a static library ba_NAME of all .c files of the module and of the folders
# in it. It is linked to base, to the modules of its row in src/layers.txt, and to LIBS, which are
# foreign.
function(ba_module name)
        set(dir ${PROJECT_SOURCE_DIR}/src/${BA_FOLDER_OF_${name}}/${name})
        file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.c ${dir}/*/*.c)
        add_library(ba_${name} STATIC ${sources})
        target_include_directories(ba_${name} PUBLIC ${BA_SOURCE_FOLDERS} ${PROJECT_SOURCE_DIR}/include)
        if(NOT name STREQUAL "base")
                target_link_libraries(ba_${name} PUBLIC ba_base ${BA_BELOW_${name}})
        endif()
        target_link_libraries(ba_${name} PUBLIC ${ARGN} PRIVATE ba_warnings)
        target_compile_definitions(ba_${name} PRIVATE _GNU_SOURCE)
        if(name STREQUAL "base")
                ba_pch(ba_base ${BA_BASE_HEADER})
        else()
                ba_pch(ba_${name} REUSE_FROM ba_base)
        endif()
        set_property(GLOBAL APPEND PROPERTY ba_modules ba_${name})
endfunction()
