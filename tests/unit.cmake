# unit/<module>_<what>.c is linked to that module and what it stands on
file(GLOB unit_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/*.c)
foreach(file ${unit_tests})
        get_filename_component(name ${file} NAME_WE)
        string(REGEX REPLACE "_.*" "" module ${name})
        if(TARGET ba_${module})
                ba_test(${name} ${file} unit ba_${module})
        endif()
endforeach()

# calls that the test stands in for
target_link_options(test_import_read PRIVATE -Wl,--wrap=readdir)
target_link_options(test_base_copy PRIVATE -Wl,--wrap=close)
target_link_options(test_counter_ways PRIVATE -Wl,--wrap=prctl)
target_link_options(test_store_journal PRIVATE -Wl,--wrap=stat)

# NVIDIA's own calculator of occupancy, where a toolkit is installed
find_path(BA_CUDA_INCLUDE cuda_occupancy.h PATHS /usr/local/cuda/include)
mark_as_advanced(BA_CUDA_INCLUDE)
if(BA_CUDA_INCLUDE)
        target_compile_options(test_model_occupancy PRIVATE -idirafter ${BA_CUDA_INCLUDE})
endif()

# the HTML report that a unit test leaves, in a browser
set_tests_properties(unit.report_html PROPERTIES FIXTURES_SETUP page)
add_test(NAME e2e.page COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/e2e/page.sh ${PROJECT_BINARY_DIR}/page.html)
set_tests_properties(e2e.page PROPERTIES LABELS e2e SKIP_RETURN_CODE 77 TIMEOUT 1800
        FIXTURES_REQUIRED page)

# the worker is no library: a part of it that stands on base alone
ba_test(worker_compare unit/worker_compare.c unit ba_base)
target_sources(test_worker_compare PRIVATE ${PROJECT_SOURCE_DIR}/src/measure/worker/plugin_compare.c)
target_link_libraries(test_worker_compare PRIVATE m)

ba_cost(unit.engine_link=27)
