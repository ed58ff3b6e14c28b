# ba_embed(FILE NAME DIR PATTERN...): FILE names files of DIR in BA_EMBED (base/embed.h) as
# NAME "/file", and is compiled again whenever one that fits a pattern changes.
function(ba_embed file name dir)
        list(TRANSFORM ARGN PREPEND ${dir}/ OUTPUT_VARIABLE patterns)
        file(GLOB files CONFIGURE_DEPENDS ${patterns})
        set_source_files_properties(${file} PROPERTIES
                OBJECT_DEPENDS "${files}"
                COMPILE_DEFINITIONS "${name}=\"${dir}\"")
endfunction()
