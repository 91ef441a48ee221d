# The library inside another project: configured, and a program compiled against it. The library is
# not, which is the same as in every other build; `--target consumer` in the work folder links it all.
file(REMOVE_RECURSE "${WORK_DIR}")
execute_process(COMMAND ${CMAKE_COMMAND} -S "${SOURCE_DIR}" -B "${WORK_DIR}" -G Ninja -DCMAKE_BUILD_TYPE=Release
    "-DSINEW=${SINEW}" -DSINEW_WEB=OFF
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK_DIR}" --target consumer_source
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
