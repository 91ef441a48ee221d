// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <set>

#include <Eigen/Geometry>

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
                               std::vector<Mat3>& rotations, dynamics::NodeRotations kind) const {
  TermWorkspace& work = sum_.own(workspace);
  sum_.load_positions(state, work);
  rotations_of_gradients(state, work, rotations);
  if (kind == dynamics::NodeRotations::edges) replace_by_frames(work, rotations);
  return true;
}

void TermFrame::rotations_of_gradients(const dynamics::State& state, TermWorkspace& work,
                                       std::vector<Mat3>& rotations) const {
  const Numbering& numbering = sum_.numbering();
  work.gradients.assign(static_cast<std::size_t>(numbering.num_vertices()), Mat3::Zero());
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    entry.term->add_gradients(sum_.at(entry, state, work), work.terms[k], work.gradients);
  }
  rotations.resize(static_cast<std::size_t>(numbering.num_free()));
  for (int k = 0; k < numbering.num_vertices(); ++k) {
    if (!numbering.is_free(k)) continue;
    Mat3& own = rotations[static_cast<std::size_t>(numbering.block(k))];
    own = work.gradients[static_cast<std::size_t>(k)];
    fill_missing_directions(own);
  }
  constexpr Index piece = 512;
  sum_.executor().for_ranges(std::ssize(rotations), piece, [&](Index begin, Index end) {
    replace_by_nearest_rotations({rotations.data() + begin, rotations.data() + end});
  });
}

namespace {

/// Axes n1 along the sum of the unit vectors, n2 across it and the first of them, n3 across both
/// (Michels 2014, section 4.4); zero where there is no such frame. `quality` goes from 0 to 1.
Mat3 frame_of(const std::array<Vec3, 3>& units, double& quality) {
  const Vec3 sum = units[0] + units[1] + units[2];
  const Vec3 across = sum.cross(units[0]);
  quality = across.norm();
  // what is closer to a line is no frame
  constexpr double least = 1e-3;
  if (!(quality > least)) return Mat3::Zero();
  Mat3 frame;
  frame.col(0) = sum.normalized();
  frame.col(1) = across / quality;
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

}  // namespace

std::vector<std::array<int, 3>> TermFrame::choose_edges() const {
  const Numbering& numbering = sum_.numbering();
  std::vector<std::set<int>> around(static_cast<std::size_t>(numbering.num_vertices()));
  for (const TermSum::Entry& entry : sum_.terms())
    for (const auto& [a, b] : entry.term->pairs())
      if (a >= 0 && a != b) {
        around[static_cast<std::size_t>(a)].insert(b);
        around[static_cast<std::size_t>(b)].insert(a);
      }
  std::vector<std::array<int, 3>> edges(around.size(), {-1, -1, -1});
  for (std::size_t v = 0; v < around.size(); ++v) {
    // the first few are as good as all of them
    constexpr std::size_t most = 8;
    std::vector<int> ends(around[v].begin(), around[v].end());
    if (ends.size() > most) ends.resize(most);
    std::vector<Vec3> units;
    units.reserve(ends.size());
    for (const int end : ends)
      units.push_back((numbering.rest(end) - numbering.rest(static_cast<int>(v))).normalized());
    double best = 0.0;
    for (std::size_t a = 0; a < ends.size(); ++a)
      for (std::size_t b = 0; b < ends.size(); ++b)
        for (std::size_t c = b + 1; c < ends.size(); ++c) {
          if (a == b || a == c) continue;
          double quality = 0.0;
          static_cast<void>(frame_of({units[a], units[b], units[c]}, quality));
          if (quality <= best) continue;
          best = quality;
          edges[v] = {ends[a], ends[b], ends[c]};
        }
  }
  return edges;
}

void TermFrame::replace_by_frames(TermWorkspace& work, std::vector<Mat3>& rotations) const {
  const Numbering& numbering = sum_.numbering();
  if (work.frame_edges.empty()) work.frame_edges = choose_edges();
  for (int v = 0; v < numbering.num_vertices(); ++v) {
    const std::array<int, 3>& ends = work.frame_edges[static_cast<std::size_t>(v)];
    if (!numbering.is_free(v) || ends[0] < 0) continue;
    std::array<Vec3, 3> rest, now;
    for (std::size_t k = 0; k < 3; ++k) {
      rest[k] = (numbering.rest(ends[k]) - numbering.rest(v)).normalized();
      now[k] = Vec3(work.x.vector(ends[k]) - work.x.vector(v)).normalized();
    }
    double quality = 0.0;
    const Mat3 before = frame_of(rest, quality), after = frame_of(now, quality);
    if (!before.isZero(0.0) && !after.isZero(0.0))
      rotations[static_cast<std::size_t>(numbering.block(v))] = after * before.transpose();
  }
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
