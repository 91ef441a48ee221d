# CHOLMOD with OpenBLAS, whose thread count the solver must control, and the OpenMP runtime that
# Debian's CHOLMOD was built with (only its library: our own code is not compiled with OpenMP).
# Defines the target CHOLMOD::CHOLMOD.
if(TARGET CHOLMOD::CHOLMOD)
  return()
endif()
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(CHOLMOD_OPENBLAS_LIBRARY openblas)
find_package(OpenMP COMPONENTS CXX QUIET)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD
  REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR CHOLMOD_OPENBLAS_LIBRARY OpenMP_gomp_LIBRARY)
if(CHOLMOD_FOUND)
  add_library(CHOLMOD::CHOLMOD INTERFACE IMPORTED)
  target_include_directories(CHOLMOD::CHOLMOD INTERFACE "${CHOLMOD_INCLUDE_DIR}")
  target_link_libraries(CHOLMOD::CHOLMOD INTERFACE
    "${CHOLMOD_LIBRARY}" "${CHOLMOD_OPENBLAS_LIBRARY}" "${OpenMP_gomp_LIBRARY}")
endif()
