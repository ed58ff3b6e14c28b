# cpack -G DEB (or TGZ) in the build folder: the whole installation as one package, for
# machines that have neither compiler nor source. What it depends on is found from the
# programs themselves, by dpkg-shlibdeps.
set(CPACK_GENERATOR TGZ)
find_program(BA_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(BA_DPKG_SHLIBDEPS)
if(BA_DPKG_SHLIBDEPS)
        set(CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME bench-against)
set(CPACK_PACKAGE_VENDOR "the bench-against authors")
set(CPACK_PACKAGE_CONTACT "the bench-against authors <bench-against@localhost>"
        CACHE STRING "who answers for packages that are built here: Name <mail>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tell whether a change made CUDA code slower")
set(CPACK_PACKAGE_DESCRIPTION
"Takes two git revisions, builds both, runs them in turns of microseconds in
one process on the GPU, and says which benchmarks got slower: with an interval
and a stated error rate, as a table for a person and as an exit status for a
pipeline. The launch code alone can be measured on a machine without a GPU.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# what the tool calls when a variant asks for it: filters of git, its own examples
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git, bubblewrap")
# liblaunchcfg, whose programs are linked to it. Not what cpack would find: a libcuda.so.1
# of ours among the libraries that the package offers, so that packages that need a driver
# would be content with it.
get_target_property(BA_LAUNCHCFG_ABI launchcfg SOVERSION)
file(WRITE ${PROJECT_BINARY_DIR}/generated/shlibs
        "liblaunchcfg ${BA_LAUNCHCFG_ABI} bench-against (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/generated/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/generated/triggers
        ${PROJECT_BINARY_DIR}/generated/shlibs)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
        WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_debian.cmake)
include(CPack)
