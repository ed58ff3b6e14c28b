# Warnings are errors on gcc and clang alike; -DBA_WERROR=OFF for a compiler we have not met.
option(BA_WERROR "treat warnings as errors" ON)
add_library(ba_warnings INTERFACE)
target_compile_options(ba_warnings INTERFACE
        -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
        -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wno-missing-field-initializers
        -fno-common -fstack-protector-strong)
if(BA_WERROR)
        target_compile_options(ba_warnings INTERFACE -Werror)
endif()
