// SPDX-License-Identifier: Apache-2.0
// A lattice of bars, frame by frame. A frame is a ring of four vertices; vertex i of a frame is
// tied to vertices i - 1, i and i + 1 of the frame before it: one leg and two braces.
//
//   3-------2        Three bars to three points that are not on a line, from a point outside
//   |\     /|        their plane, hold it: if the frame before cannot move, neither can this one.
//   | \   / |        Diaphragms, rings with a diagonal, only add stiffness: most of all against
//   1-------0        twisting, which would turn the section into a lozenge.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>

namespace sinew::mesh {
namespace {

using Frame = std::array<int, 4>;

class TrussBuilder {
 public:
  int add_vertex(const Vec3& x) {
    mesh_.vertices.push_back(x);
    return mesh_.num_vertices() - 1;
  }
  void add_bar(int a, int b) { mesh_.bars.push_back({a, b}); }

  void tie(const Frame& before, const Frame& next) {
    for (std::size_t i = 0; i < 4; ++i)
      for (const std::size_t k : {i + 3, i, i + 1}) add_bar(before[k % 4], next[i]);
  }
  void add_diaphragm(const Frame& frame) {
    for (std::size_t i = 0; i < 4; ++i) add_bar(frame[i], frame[(i + 1) % 4]);
    add_bar(frame[0], frame[2]);
  }

  /// Frames that shrink from `root`, which is there already, to a single vertex.
  void add_arm(const Frame& root, const Vec3& tip, int panels) {
    Frame last = root;
    for (int panel = 1; panel < panels; ++panel) {
      Frame frame;
      for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 from = position(root[i]);
        frame[i] = add_vertex(from + (tip - from) * panel / panels);
      }
      tie(last, frame);
      last = frame;
    }
    const int end = add_vertex(tip);
    for (const int vertex : last) add_bar(vertex, end);
  }

  const Vec3& position(int vertex) const {
    return mesh_.vertices[static_cast<std::size_t>(vertex)];
  }
  TetMesh take() { return std::move(mesh_); }

 private:
  TetMesh mesh_;
};

void check(const TrussSettings& settings) {
  require_positive("/height", settings.height);
  require_positive("/base_width", settings.base_width);
  require_positive("/waist_height", settings.waist_height);
  if (settings.waist_height >= settings.height)
    reject_parameter("/waist_height", "the waist would be above the top",
                     "make it smaller than the height");
  require_positive("/waist_width", settings.waist_width);
  require_positive("/top_width", settings.top_width);
  require_count("/panels/0", settings.panels[0]);
  require_count("/panels/1", settings.panels[1]);
  require_count("/arms", settings.arms);
  if (settings.arms > settings.panels[1])
    reject_parameter("/arms", fmt::format("there is no room for {} arms", settings.arms),
                     "there can be one per panel above the waist");
  require_positive("/arm_length", settings.arm_length);
  require_count("/arm_panels", settings.arm_panels);
  const double panels =
      1.0 * settings.panels[0] + settings.panels[1] + 2.0 * settings.arms * settings.arm_panels;
  constexpr double most_panels = 1e6;  // 12 bars each; more likely a typo
  if (panels > most_panels)
    reject_parameter("/panels", fmt::format("this would make {:.3g} panels", panels),
                     fmt::format("use at most {:.3g}, those of the arms included", most_panels));
}

/// Heights of the frames of a part whose width changes evenly; panels of a narrow part are low.
std::vector<double> panel_fractions(double lower_width, double upper_width, int panels) {
  std::vector<double> fractions;
  const double ratio = upper_width / lower_width;
  for (int panel = 0; panel <= panels; ++panel) {
    const double s = static_cast<double>(panel) / panels;
    fractions.push_back(ratio == 1.0 ? s : (1.0 - std::pow(ratio, s)) / (1.0 - ratio));
  }
  return fractions;
}

}  // namespace

TetMesh make_truss(const TrussSettings& settings) {
  check(settings);
  TrussBuilder builder;
  std::vector<Frame> frames;
  const auto add_part = [&](double low, double high, double low_width, double high_width,
                            int panels) {
    for (const double s : panel_fractions(low_width, high_width, panels)) {
      if (s == 0.0 && !frames.empty()) continue;  // the waist belongs to the part below
      const double z = low + s * (high - low);
      const double half = 0.5 * (low_width + s * (high_width - low_width));
      const Frame frame{builder.add_vertex({half, -half, z}), builder.add_vertex({half, half, z}),
                        builder.add_vertex({-half, half, z}),
                        builder.add_vertex({-half, -half, z})};
      if (!frames.empty()) builder.tie(frames.back(), frame);
      frames.push_back(frame);
    }
  };
  add_part(0.0, settings.waist_height, settings.base_width, settings.waist_width,
           settings.panels[0]);
  add_part(settings.waist_height, settings.height, settings.waist_width, settings.top_width,
           settings.panels[1]);

  // diaphragms at the waist, at the top and where arms begin
  std::vector<int> diaphragms{settings.panels[0], settings.panels[0] + settings.panels[1]};
  for (int arm = 0; arm < settings.arms; ++arm) {
    const int level =
        settings.panels[0] + settings.panels[1] - 1 - arm * (settings.panels[1] / settings.arms);
    diaphragms.insert(diaphragms.end(), {level, level + 1});
    const Frame& low = frames[static_cast<std::size_t>(level)];
    const Frame& high = frames[static_cast<std::size_t>(level) + 1];
    for (const std::size_t side : {0, 2}) {
      const Frame root{low[side], low[side + 1], high[side + 1], high[side]};
      const Vec3 foot = builder.position(low[side]);
      const double direction = side == 0 ? 1.0 : -1.0;
      builder.add_arm(root, {foot[0] + direction * settings.arm_length, 0.0, foot[2]},
                      settings.arm_panels);
    }
  }
  std::sort(diaphragms.begin(), diaphragms.end());
  diaphragms.erase(std::unique(diaphragms.begin(), diaphragms.end()), diaphragms.end());
  for (const int level : diaphragms) builder.add_diaphragm(frames[static_cast<std::size_t>(level)]);
  return builder.take();
}

}  // namespace sinew::mesh
