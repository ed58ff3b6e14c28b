# cmake -DNM=nm -DLIBRARY=libcuda.so.1 -DOUT=names.inc -P names.cmake
# A line FORWARD(cuName) for each function of a driver library. A few take a float, which
# the observer does not forward; cuGetProcAddress it answers itself.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " cu[A-Z][A-Za-z0-9_]*" names "${symbols}")
list(FILTER names EXCLUDE REGEX "cuGetProcAddress|cuParamSetf|cuTexRefSetMipmapLevel")
list(TRANSFORM names REPLACE " (.*)" "FORWARD(\\1)\n")
string(CONCAT text ${names})
file(WRITE ${OUT} "${text}")
