# Writes a C++ file that holds every scene of SCENE_DIR as a string. Run with cmake -P.
set(entries "")
file(GLOB files RELATIVE "${SCENE_DIR}" "${SCENE_DIR}/*/*.json")
list(SORT files)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  get_filename_component(group "${file}" DIRECTORY)
  file(READ "${SCENE_DIR}/${file}" text)
  string(APPEND entries "    BuiltinScene{\"${name}\", \"${group}\", R\"__sinew__(${text})__sinew__\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new" "// Made from scenes/ by cmake/embed_scenes.cmake.
#include <array>

#include <sinew/scene/format/builtin_scenes.hpp>

namespace sinew::scene {

std::span<const BuiltinScene> builtin_scenes() {
  static constexpr std::array scenes{
${entries}  };
  return scenes;
}

}  // namespace sinew::scene
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
