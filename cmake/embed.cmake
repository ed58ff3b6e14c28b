# ba_embed_kernels(FILE): FILE, which names files of kernels/ in .incbin, is compiled
# again whenever one of them changes. No toolkit: the driver compiles the PTX when it is
# loaded.
function(ba_embed_kernels file)
        file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.ptx)
        set_source_files_properties(${file} PROPERTIES
                OBJECT_DEPENDS "${kernels}"
                COMPILE_DEFINITIONS "BA_KERNEL_DIR=\"${PROJECT_SOURCE_DIR}/kernels\"")
endfunction()
