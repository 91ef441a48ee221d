// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/output/vtu_writer.hpp>
#include <sinew/output/writers.hpp>

namespace sinew::output {

std::span<const WriterEntry> writers() {
  static constexpr std::array table{
      WriterEntry{"vtu", "VTK unstructured grid per frame and frames.pvd, for ParaView",
                  [](const RunDirectory& directory, bool resume) -> std::unique_ptr<sim::Observer> {
                    return std::make_unique<VtuWriter>(directory, resume);
                  }},
  };
  return table;
}

}  // namespace sinew::output
