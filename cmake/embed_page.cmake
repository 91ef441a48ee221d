# Writes a C++ file that holds the report page PAGE as a string; an empty one without PAGE. Run with cmake -P.
set(text "")
if(PAGE)
  file(READ "${PAGE}" text)
endif()
# pieces of a size that every compiler takes
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 12000 piece)
  string(APPEND pieces "    R\"__sinew__(${piece})__sinew__\"\n")
  math(EXPR at "${at} + 12000")
endwhile()
if(pieces STREQUAL "")
  set(pieces "    \"\"")
endif()
file(WRITE "${OUTPUT}.new" "// Made from web/ by cmake/embed_page.cmake.
#include <sinew/output/publish/report_page.hpp>

namespace sinew::output {

std::string_view report_page() {
  static constexpr char page[] =
${pieces};
  return {page, sizeof page - 1};
}

}  // namespace sinew::output
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
