# Compiler settings shared by every target, carried by the interface target sinew_build_settings.
add_library(sinew_build_settings INTERFACE)
target_compile_features(sinew_build_settings INTERFACE cxx_std_20)
target_compile_options(sinew_build_settings INTERFACE
  -Wno-psabi -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # designated initialisers leave out what keeps its default
  -Wno-missing-field-initializers
  # the same source gives the same bits whatever the optimiser fuses (docs/adr/0009)
  -ffp-contract=off
  # the library may become part of a shared one (python/), which costs nothing unless others may replace its functions
  $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
  # square roots as instructions, four at a time: nobody here reads errno
  -fno-math-errno
  # GCC 12 sees overflows in std::string concatenation that are not there (GCC bugs 105329, 105651)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(SINEW_WERROR)
  target_compile_options(sinew_build_settings INTERFACE -Werror)
endif()

# Instruction set: a fixed level rather than "native", so that one binary behaves alike everywhere.
set(sinew_arch "${SINEW_ARCH}")
if(sinew_arch STREQUAL "auto")
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"x86-64-v3\") ? 0 : 1; }"
                        SINEW_HAS_X86_64_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(sinew_arch "none")
  if(SINEW_HAS_X86_64_V3)
    set(sinew_arch "x86-64-v3")
  endif()
endif()
if(NOT sinew_arch STREQUAL "none")
  target_compile_options(sinew_build_settings INTERFACE "-march=${sinew_arch}")
endif()

if(SINEW_SANITIZE)
  add_compile_options("-fsanitize=${SINEW_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)  # GCC sees ghosts in instrumented code
  add_link_options("-fsanitize=${SINEW_SANITIZE}")
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  find_program(SINEW_CCACHE ccache)
  if(SINEW_CCACHE)
    # precompiled headers need these two relaxations to be cached
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SINEW_CCACHE})
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endif()
