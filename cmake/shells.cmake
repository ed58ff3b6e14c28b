# The manual page and what shells complete, made by the tool itself from the tables that
# parse its command line. Where the tool cannot run (a cross build) they are left out.
if(CMAKE_CROSSCOMPILING)
        return()
endif()
set(made ${PROJECT_BINARY_DIR}/generated/shells)
file(MAKE_DIRECTORY ${made})
set(outputs)

# ba_made(FILE DESTINATION ARGUMENTS...): what `bench-against ARGUMENTS` prints
function(ba_made file destination)
        add_custom_command(OUTPUT ${made}/${file}
                COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
                        $<TARGET_FILE:bench-against> ${ARGN} > ${made}/${file}
                DEPENDS bench-against COMMENT "bench-against ${ARGN}" VERBATIM)
        install(FILES ${made}/${file} DESTINATION ${destination})
        set(outputs ${outputs} ${made}/${file} PARENT_SCOPE)
endfunction()

ba_made(bench-against.1 ${CMAKE_INSTALL_MANDIR}/man1 manual)
ba_made(bench-against ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
        completion bash)
ba_made(bench-against.fish ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d
        completion fish)
# Debian's zsh looks into vendor-completions only below /usr, and into site-functions elsewhere
ba_made(_bench-against ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions completion zsh)
add_custom_target(shells ALL DEPENDS ${outputs})
