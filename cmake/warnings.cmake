# The presets and check.sh make warnings errors. Whoever builds the tool to use it may have a
# compiler that warns of more.
option(BA_WERROR "treat warnings as errors" OFF)
add_library(ba_warnings INTERFACE)
# a function that a table calls needs some of its parameters only, so unused ones are fine
target_compile_options(ba_warnings INTERFACE
        -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
        -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wno-missing-field-initializers
        -Wno-unused-parameter -fno-common -fstack-protector-strong)
if(BA_WERROR)
        target_compile_options(ba_warnings INTERFACE -Werror)
endif()
# gcc 12 with -O3 loses stores of a cloned function: unit.stats_consistent then reads what was
# never written, and passes with -O2, with clang, under the sanitizers, and with this
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(ba_warnings INTERFACE $<$<CONFIG:Release>:-fno-ipa-modref>)
endif()
