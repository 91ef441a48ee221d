// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/output/publish/instants.hpp>

namespace sinew::output {
namespace {

/// Mean square distance of two shapes; endless where they are not the same body any more, or not
/// finite.
double unlikeness(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double way = static_cast<double>(a[k]) - static_cast<double>(b[k]);
    sum += way * way;
  }
  return std::isfinite(sum) ? sum / static_cast<double>(a.size())
                            : std::numeric_limits<double>::infinity();
}

}  // namespace

std::size_t frame_at(std::span<const double> times, double t) {
  const auto nearest = std::min_element(times.begin(), times.end(), [&](double a, double b) {
    return std::abs(a - t) < std::abs(b - t);
  });
  return static_cast<std::size_t>(nearest - times.begin());
}

std::vector<std::size_t> telling_instants(std::span<const SurfaceFrames* const> runs,
                                          std::size_t count) {
  const std::vector<double>& times = runs.front()->times;
  if (times.empty() || count == 0) return {};
  const std::size_t last = times.size() - 1;
  std::vector<std::size_t> chosen{0};
  if (last > 0 && count > 1) chosen.push_back(last);
  const auto shape = [&](const SurfaceFrames& run, std::size_t frame) -> const auto& {
    return run.positions[frame_at(run.times, times[frame])];
  };
  const auto worth = [&](std::size_t frame) {
    double variety = 0.0, apart = 0.0;
    for (const SurfaceFrames* run : runs) {
      if (run->times.empty()) continue;
      const std::vector<float>& now = shape(*run, frame);
      double least = std::numeric_limits<double>::infinity();
      for (const std::size_t other : chosen)
        least = std::min(least, unlikeness(now, shape(*run, other)));
      variety += least;
      apart += unlikeness(now, shape(*runs.front(), frame));
    }
    // both must be there: what differs always in the same way tells little
    return runs.size() > 1 ? apart * variety : variety;
  };
  std::size_t before = 0;
  for (std::size_t part = 1; part + 1 < count; ++part) {
    const std::size_t begin = std::max(before + 1, (part - 1) * last / (count - 2));
    const std::size_t end = std::min(last, part * last / (count - 2));
    if (begin >= end) continue;
    double most = -1.0;
    for (std::size_t frame = begin; frame < end; ++frame)
      if (const double now = worth(frame); now > most) {
        most = now;
        before = frame;
      }
    chosen.push_back(before);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace sinew::output
