# -DBA_SANITIZE=address,undefined or -DBA_SANITIZE=thread
set(BA_SANITIZE "" CACHE STRING "sanitizers for everything we build")
if(BA_SANITIZE)
        add_compile_options(-fsanitize=${BA_SANITIZE} -fno-omit-frame-pointer
                -fno-sanitize-recover=all)
        add_link_options(-fsanitize=${BA_SANITIZE})
endif()
