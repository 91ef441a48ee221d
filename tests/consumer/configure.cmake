# The library inside another project: configured, and one of its targets there for the taking. Its
# compilation is that of every other build.
file(REMOVE_RECURSE "${WORK_DIR}")
execute_process(COMMAND ${CMAKE_COMMAND} -S "${SOURCE_DIR}" -B "${WORK_DIR}" -G Ninja -DCMAKE_BUILD_TYPE=Release
    "-DSINEW=${SINEW}" "-DMAIN=${MAIN}" -DSINEW_WEB=OFF
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
