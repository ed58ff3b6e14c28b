# ba_module(NAME [LIBS...]): one static library ba_NAME from every .c file of src/NAME and of the
# rooms in it, src/NAME/ROOM.
# The libraries named are the arrows of src/layers.txt, plus the foreign library it owns.
function(ba_module name)
        file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.c
                ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.c)
        if(NOT sources)
                return()
        endif()
        add_library(ba_${name} STATIC ${sources})
        target_include_directories(ba_${name} PUBLIC
                ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
        target_link_libraries(ba_${name} PUBLIC ${ARGN} PRIVATE ba_warnings)
        target_compile_definitions(ba_${name} PRIVATE _GNU_SOURCE)
        set_property(GLOBAL APPEND PROPERTY ba_modules ba_${name})
endfunction()
