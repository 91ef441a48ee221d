// SPDX-License-Identifier: Apache-2.0
// What changes the bodies of a scene during a run: vertices that are let go, cuts, cracks.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sinew/geometry/blade.hpp>
#include <sinew/physics/carry_over.hpp>
#include <sinew/physics/fracture.hpp>
#include <sinew/sim/edit_source.hpp>

namespace sinew::scene {

/// A cut of one body, at once or along its way.
struct PlannedCut {
  std::size_t body = 0;
  std::shared_ptr<const geometry::Blade> blade;
  double at = 0.0;                                          ///< when it begins [s]
  double until = -std::numeric_limits<double>::infinity();  ///< when it ends; before: at once [s]
  bool in_world = true;  ///< the blade meets the body where it is, and not in its rest shape
  std::optional<std::array<Vec3, 2>> box{};  ///< it goes no further [m]
  double snap = 0.05;

  bool takes_time() const { return until > at; }
};

/// A body that breaks where the tension passes its strength.
struct PlannedFracture {
  std::size_t body = 0;
  double strength = 0.0;  ///< [Pa]
  double from = 0.0;      ///< [s]
  int at_once = 1;        ///< cracks after one step, at most
  double snap = 0.25;
};

/// All of the surface that a cut opens in the end, for vertices that are there. They must outlive
/// it.
mesh::CutSurface cut_surface(const PlannedCut& cut, std::span<const Vec3> places);

struct EditPlan {
  std::vector<double> release_times;  ///< one per group of moved vertices; infinity: never [s]
  std::vector<PlannedCut> cuts;
  std::vector<PlannedFracture> fractures;

  bool is_empty() const;
};

class EditSchedule final : public sim::EditSource {
 public:
  /// The executor must outlive the schedule.
  EditSchedule(physics::BodiesSpec spec, EditPlan plan, const core::Executor& executor);

  double next_time(double t) const override;
  bool is_due(const dynamics::DynamicalSystem& system, const dynamics::State& state,
              dynamics::Workspace& workspace) const override;
  sim::Edit apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                  double time) override;
  /// The groups that are still held, the cuts that are done, how far others are, and the bodies.
  std::string description() const override;
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) override;

 private:
  /// How far a cut is.
  struct Progress {
    bool is_done = false;
    double front = -std::numeric_limits<double>::infinity();  ///< after the last edit [m]
    /// Vertices of the body, in its own order, that lie on what was cut already. A surface that is
    /// not linear in the tets would miss them by a little, and cut again beside itself.
    std::vector<int> on{};
  };
  /// Where the vertices of all bodies are, those added since included.
  using Places = std::vector<Vec3>;

  std::unique_ptr<physics::TermSystem> make_system() const;
  /// The vertices of one body where the blade meets them.
  std::vector<Vec3> places_of(std::size_t body, bool in_world, const Places& now) const;
  double front_of(const PlannedCut& cut, double t, const std::vector<Vec3>& places) const;
  /// `places` must live as long as the surface, which speaks of it.
  mesh::CutSurface surface_of(const PlannedCut& cut, const Progress& progress, double front,
                              const std::vector<Vec3>& places) const;
  std::vector<physics::Crack> cracks_of(const PlannedFracture& fracture,
                                        const physics::TermSystem& system,
                                        const dynamics::State& state,
                                        dynamics::Workspace& workspace) const;
  void perform(physics::CutChange change, Places& now, std::vector<physics::CutChange>& changes);
  /// Cuts as far as it has come by this time.
  void advance(std::size_t cut, double time, Places& now, std::vector<physics::CutChange>& changes);

  physics::CutBodies bodies_;
  EditPlan plan_;
  std::vector<std::size_t> held_;  // groups of moved vertices
  std::vector<Progress> progress_;
  const core::Executor& executor_;
};

}  // namespace sinew::scene
