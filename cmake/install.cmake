# What an installation holds. The tool finds its parts beside itself (see own_part() in
# src/tool/cli/context.c), so the whole may be moved; the packages know no absolute path either.
include(CMakePackageConfigHelpers)
set(BA_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/bench-against)

# the programs; the host target's driver and launchcfg are installed where they are made
install(TARGETS bench-against RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS bench-against-worker
        RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/bench-against)

# what a variant's library is compiled against: a header and nothing to link to
add_library(bench_against_launcher INTERFACE)
add_library(bench_against::launcher ALIAS bench_against_launcher)
set_target_properties(bench_against_launcher PROPERTIES EXPORT_NAME launcher)
target_include_directories(bench_against_launcher INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(DIRECTORY include/bench_against DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

# what a stripped program of Google Benchmark links, so that suites of its kind find the library
add_library(bench_against_benchmark INTERFACE)
add_library(bench_against::benchmark ALIAS bench_against_benchmark)
set_target_properties(bench_against_benchmark PROPERTIES EXPORT_NAME benchmark)
set(link ${CMAKE_INSTALL_DATAROOTDIR}/bench-against/link)
target_sources(bench_against_benchmark INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/share/bench-against/link/benchmark.cc>
        $<INSTALL_INTERFACE:${link}/benchmark.cc>)
target_link_options(bench_against_benchmark INTERFACE
        "LINKER:--export-dynamic-symbol=bench_against_functions")
install(FILES share/bench-against/link/benchmark.cc DESTINATION ${link})

# find_package(bench_against), and the same for pkg-config
set(package ${CMAKE_INSTALL_DATAROOTDIR}/cmake/bench_against)
install(TARGETS bench_against_launcher bench_against_benchmark EXPORT bench_against-targets)
install(TARGETS bench_against_core EXPORT bench_against-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT bench_against-targets NAMESPACE bench_against:: DESTINATION ${package})
configure_package_config_file(cmake/bench_against-config.cmake.in
        ${PROJECT_BINARY_DIR}/generated/bench_against-config.cmake
        INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
        ${PROJECT_BINARY_DIR}/generated/bench_against-config-version.cmake
        COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
file(RELATIVE_PATH BA_PREFIX_FROM_PKGCONFIG
        /prefix/${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig /prefix)
configure_file(cmake/bench_against.pc.in
        ${PROJECT_BINARY_DIR}/generated/bench_against.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/bench_against-config.cmake
        ${PROJECT_BINARY_DIR}/generated/bench_against-config-version.cmake
        DESTINATION ${package})
configure_file(cmake/bench_against-core.pc.in
        ${PROJECT_BINARY_DIR}/generated/bench_against-core.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/bench_against.pc
        ${PROJECT_BINARY_DIR}/generated/bench_against-core.pc
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig)

# the kernels, where there was an nvcc for them, with their configuration: a variant to name
if(TARGET bench_kernels)
        set(kernels ${CMAKE_INSTALL_LIBDIR}/bench-against/kernels)
        install(TARGETS bench_kernels LIBRARY DESTINATION ${kernels} COMPONENT kernels)
        install(FILES kernels/installed.json DESTINATION ${kernels}
                RENAME .bench-against.json COMPONENT kernels)
endif()

# schemas for editors, and what there is to read
install(FILES share/bench-against/config.schema.json share/schema/results.schema.json
        share/schema/verdict.schema.json share/schema/code.schema.json
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bench-against)
# what the workflows that `init` writes run
install(DIRECTORY share/bench-against/ci DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bench-against)
# the module for Python projects: the tool puts it on PYTHONPATH
install(DIRECTORY python/bench_against_worker
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bench-against/python
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE
        DESTINATION ${BA_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${BA_INSTALL_DOCDIR})
install(CODE "execute_process(COMMAND \${CMAKE_COMMAND}
        -DDIR=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${BA_INSTALL_DOCDIR}
        -DINCLUDE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}
        -P ${PROJECT_SOURCE_DIR}/cmake/install_docs.cmake COMMAND_ERROR_IS_FATAL ANY)")
