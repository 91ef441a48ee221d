# Defines the target libdeflate::libdeflate.
if(TARGET libdeflate::libdeflate)
  return()
endif()
find_path(libdeflate_INCLUDE_DIR libdeflate.h)
find_library(libdeflate_LIBRARY deflate)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libdeflate
  REQUIRED_VARS libdeflate_LIBRARY libdeflate_INCLUDE_DIR)
if(libdeflate_FOUND)
  add_library(libdeflate::libdeflate INTERFACE IMPORTED)
  target_include_directories(libdeflate::libdeflate INTERFACE "${libdeflate_INCLUDE_DIR}")
  target_link_libraries(libdeflate::libdeflate INTERFACE "${libdeflate_LIBRARY}")
endif()
