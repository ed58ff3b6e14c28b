# Run by cpack on the tree that is about to be packed: what Debian's policy asks of its
# documentation. Manuals and changelogs are compressed, the licence is called copyright.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
        return()
endif()
file(GLOB_RECURSE manuals ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/bench-against.1)
file(GLOB_RECURSE changes ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/CHANGELOG.md)
foreach(file ${changes})
        get_filename_component(dir ${file} DIRECTORY)
        file(RENAME ${file} ${dir}/changelog)
        list(APPEND manuals ${dir}/changelog)
        file(READ ${dir}/LICENSE licence)
        string(FIND "${licence}" "Apache License" apache)
        if(apache EQUAL -1)
                message(FATAL_ERROR "cmake/package_debian.cmake names the Apache licence, LICENSE is another")
        endif()
        file(REMOVE ${dir}/LICENSE)
        file(WRITE ${dir}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: bench-against

Files: *
Copyright: 2026 the bench-against authors
License: Apache-2.0
 On Debian systems the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0
")
endforeach()
foreach(file ${manuals})
        execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# the host target's driver is copied as it is, and not known as a library to cpack
find_program(BA_STRIP strip REQUIRED)
file(GLOB_RECURSE drivers ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/libcuda.so.1)
foreach(file ${drivers})
        execute_process(COMMAND ${BA_STRIP} --strip-unneeded ${file}
                COMMAND_ERROR_IS_FATAL ANY)
endforeach()
