# -DBA_SANITIZE=address,undefined or -DBA_SANITIZE=thread
set(BA_SANITIZE "" CACHE STRING "sanitizers for everything we build")
if(BA_SANITIZE)
        add_compile_options(-fsanitize=${BA_SANITIZE} -fno-omit-frame-pointer
                -fno-sanitize-recover=all)
        add_link_options(-fsanitize=${BA_SANITIZE})
        # cmake/check.sh: undefined behaviour ends a program with SIGILL and a stack trace instead of a
        # sentence, which compiles in two thirds of the time. Not for the linker: libubsan brings the
        # C++ library, without which AddressSanitizer does not know exceptions of what is loaded later
        option(BA_SANITIZE_TRAPS "undefined behaviour traps, and no text says what it was" OFF)
        if(BA_SANITIZE_TRAPS)
                add_compile_options(-fsanitize-undefined-trap-on-error)
        endif()
endif()
