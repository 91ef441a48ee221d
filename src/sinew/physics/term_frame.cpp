// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <sinew/physics/elements/nearest_rotation.hpp>
#include <sinew/physics/rigid_modes.hpp>
#include <sinew/physics/term_frame.hpp>

namespace sinew::physics {

void TermFrame::rest_positions(VecOut q) const {
  const Numbering& numbering = sum_.numbering();
  for (int k = 0; k < numbering.num_vertices(); ++k)
    if (const Index block = numbering.block(k); block >= 0)
      q.segment<3>(3 * block) = numbering.rest(k);
}

bool TermFrame::node_rotations(const dynamics::State& state, dynamics::Workspace& workspace,
                               std::vector<Mat3>& rotations) const {
  TermWorkspace& work = sum_.own(workspace);
  const Numbering& numbering = sum_.numbering();
  sum_.load_positions(state, work);
  work.gradients.assign(static_cast<std::size_t>(numbering.num_vertices()), Mat3::Zero());
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    entry.term->add_gradients(sum_.at(entry, state, work), work.terms[k], work.gradients);
  }
  rotations.resize(static_cast<std::size_t>(numbering.num_free()));
  for (int k = 0; k < numbering.num_vertices(); ++k) {
    if (!numbering.is_free(k)) continue;
    const Mat3& gradient = work.gradients[static_cast<std::size_t>(k)];
    // a vertex without elements does not turn
    rotations[static_cast<std::size_t>(numbering.block(k))] =
        gradient.isZero(0.0) ? Mat3(Mat3::Identity()) : gradient;
  }
  constexpr Index piece = 512;
  sum_.executor().for_ranges(std::ssize(rotations), piece, [&](Index begin, Index end) {
    replace_by_nearest_rotations({rotations.data() + begin, rotations.data() + end});
  });
  return true;
}

Mat TermFrame::rigid_modes(const dynamics::State& state) const {
  const Numbering& numbering = sum_.numbering();
  const PrescribedVertices& prescribed = sum_.prescribed();
  std::vector<RigidVertex> vertices;
  vertices.reserve(static_cast<std::size_t>(numbering.num_vertices()));
  for (int k = 0; k < numbering.num_vertices(); ++k) {
    const Index block = numbering.block(k);
    const Vec3 position = block >= 0 ? Vec3(state.q.segment<3>(3 * block))
                                     : prescribed.position(prescribed.index_of(k), state.t);
    vertices.push_back({position, numbering.piece(k), numbering.block(k)});
  }
  return physics::rigid_modes(vertices, numbering.num_pieces(), numbering.num_dofs());
}

}  // namespace sinew::physics
