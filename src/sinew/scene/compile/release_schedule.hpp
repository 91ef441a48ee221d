// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/physics/bodies.hpp>
#include <sinew/sim/edit_source.hpp>

namespace sinew::scene {

/// Lets go of moved vertices when their script ends: from then on they are free, with the position
/// and velocity the script gave them last.
class ReleaseSchedule final : public sim::EditSource {
 public:
  /// `release_times[k]` belongs to spec.moved[k]. The executor must outlive the schedule.
  ReleaseSchedule(physics::BodiesSpec spec, std::vector<double> release_times,
                  const core::Executor& executor)
      : all_(std::move(spec.moved)),
        spec_(std::move(spec)),
        times_(std::move(release_times)),
        executor_(executor) {
    for (std::size_t k = 0; k < all_.size(); ++k) held_.push_back(k);
  }

  double next_time(double t) const override;
  /// The groups that are still held, as "1 3".
  std::string description() const override;
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) override;
  sim::Edit apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                  double time) override;

 private:
  /// With the moved vertices that are still held.
  std::unique_ptr<physics::TermSystem> make_system();

  std::vector<physics::MovedVertices> all_;
  std::vector<std::size_t> held_;  // of these
  physics::BodiesSpec spec_;
  std::vector<double> times_;
  const core::Executor& executor_;
};

}  // namespace sinew::scene
