# The libraries we stand on. The CUDA driver and NVML are not among them: they are
# opened at run time, so neither a toolkit nor a GPU is needed to build.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(LIBGIT2 IMPORTED_TARGET libgit2>=1.5)
if(NOT LIBGIT2_FOUND)
        # older ones do not check who owns a repository, and read trees otherwise
        pkg_check_modules(LIBGIT2_OLD QUIET libgit2)
        message(FATAL_ERROR "libgit2 1.5 or newer is needed"
                " (found: '${LIBGIT2_OLD_VERSION}'). Debian 12 and Ubuntu 24.04 have it as"
                " libgit2-dev; on Ubuntu 22.04 build it from source and name its"
                " lib/pkgconfig in PKG_CONFIG_PATH")
endif()
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.37)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson>=1.7.15)
# XML of other tools
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat>=2.4.7)
# functions and source lines of counted instructions
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw>=0.175)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf>=0.175)
if(BA_BUILD_TESTS)
        pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka>=1.1.5)
endif()
