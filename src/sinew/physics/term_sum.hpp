// SPDX-License-Identifier: Apache-2.0
// The terms of a system over its vertices, and what every evaluation of them needs: positions and
// velocities of all vertices, prescribed ones included.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/physics/numbering.hpp>
#include <sinew/physics/overlay.hpp>
#include <sinew/physics/prescribed_vertices.hpp>
#include <sinew/physics/term.hpp>
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

/// Filled anew by every evaluation, except for the prescribed motion, which is kept for as long as
/// the same time is asked for, and what begin_step() fixes.
struct TermWorkspace final : dynamics::Workspace {
  TermWorkspace(std::uint64_t system, int num_vertices, PrescribedVertices::Motion prescribed);

  std::uint64_t system_id;
  PaddedField x, v, f, shifted;
  PaddedField x_after, v_after;  // the other end of a step
  PrescribedVertices::Motion motion;
  std::vector<TermWork> terms;
  Overlay overlay;
  std::vector<char> held;  // per vertex, for the length of a step
  bool holds_any = false;
  PaddedField held_at;  // where they are
  std::vector<VertexPair> pairs;
  std::vector<Mat3> gradients;
  std::vector<std::array<int, 3>> frame_edges;  // per vertex, found once
};

class TermSum {
 public:
  struct Entry {
    std::shared_ptr<const Term> term;
    TermTraits traits;
    Index internal_begin = 0, num_internal = 0;
  };

  /// `system_id`: of the system whose workspaces these are.
  TermSum(std::uint64_t system_id, std::shared_ptr<const Numbering> numbering,
          PrescribedVertices prescribed, TetMass mass,
          std::vector<std::shared_ptr<const Term>> terms, const core::Executor& executor);

  const Numbering& numbering() const { return *numbering_; }
  const std::shared_ptr<const Numbering>& shared_numbering() const { return numbering_; }
  const PrescribedVertices& prescribed() const { return prescribed_; }
  const TetMass& mass() const { return mass_; }
  const core::Executor& executor() const { return executor_; }
  std::span<const Entry> terms() const { return terms_; }
  Index num_internal() const;
  Vec initial_internal() const;
  /// Any term for which this holds.
  template <class Predicate>
  bool any(const Predicate& predicate) const {
    for (const Entry& entry : terms_)
      if (predicate(entry.traits)) return true;
    return false;
  }

  const std::shared_ptr<const la::BlockPattern>& base_pattern() const { return base_pattern_; }
  std::span<const std::vector<int>> base_slots() const { return base_slots_; }

  /// In order, and of vertices that there are; anything else is a bug of a term.
  void require_pair(const VertexPair& pair) const;

  std::unique_ptr<TermWorkspace> make_workspace() const;
  /// A workspace as what it is; that of another system is a bug of the caller.
  TermWorkspace& own(dynamics::Workspace& workspace) const;

  // ---- one state into the fields of the workspace; held vertices are where they are held ------

  void evaluate_motion(double t, TermWorkspace&) const;
  void load_positions(const dynamics::State&, TermWorkspace&) const;
  void load_velocities(const dynamics::State&, TermWorkspace&) const;
  /// As above, where a term uses them.
  void load_velocities_if_used(const dynamics::State&, TermWorkspace&) const;
  /// The end of a step into x_after and v_after. Leaves the prescribed motion at its time.
  void load_after(const dynamics::State&, TermWorkspace&) const;

  Configuration at(const Entry&, const dynamics::State&, const TermWorkspace&) const;
  /// The same at the other end of a step.
  Configuration after(const Entry&, const dynamics::State&, const TermWorkspace&) const;
  /// f += forces of the terms for which `predicate(traits)` holds, at the loaded fields.
  template <class Predicate>
  void add_forces(const dynamics::State& state, const Predicate& predicate, TermWorkspace& work,
                  PaddedField& f) const {
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (predicate(terms_[k].traits))
        terms_[k].term->add_force(at(terms_[k], state, work), work.terms[k], f);
  }
  /// Whether prescribed vertices act on free ones through the mass.
  bool has_inertial_load() const { return prescribed_.move() && !mass_.is_lumped(); }
  /// f -= M a of the prescribed vertices at the time of the loaded motion. Uses the workspace's v.
  void add_inertial_load(TermWorkspace&, PaddedField& f) const;

  // ---- fields over all vertices against vectors over the free ones --------------------------

  /// Sum over the free vertices of x . f.
  double dot_free(const Vec& x, const PaddedField& f) const;
  /// target += factor * f on the free vertices.
  void add_free(double factor, const PaddedField& f, VecOut target) const;
  void gather_free(const PaddedField& f, VecOut target) const;
  /// The other way round; all other vertices stay as they are.
  void scatter_free(const VecIn& from, PaddedField& to) const;

 private:
  /// work(vertex, block) for all free vertices, on all threads where there are many.
  template <class Work>
  void for_each_free(const Work& work) const {
    constexpr int worth_a_thread = 2048;
    const int count = numbering_->num_vertices();
    const core::Executor& executor = count < worth_a_thread ? core::serial_executor() : executor_;
    executor.for_ranges(count, worth_a_thread, [&](Index begin, Index end) {
      for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
        if (const Index block = numbering_->block(k); block >= 0) work(k, block);
    });
  }

  void build_pattern();
  void put_held(const TermWorkspace&, PaddedField* x, PaddedField* v) const;
  void load(const Vec& from, const std::vector<Vec3>& prescribed, PaddedField& to) const;

  std::uint64_t system_id_;
  std::shared_ptr<const Numbering> numbering_;  // terms may have kept its address
  PrescribedVertices prescribed_;
  TetMass mass_;
  const core::Executor& executor_;
  std::vector<Entry> terms_;
  std::shared_ptr<const la::BlockPattern> base_pattern_;
  std::vector<std::vector<int>> base_slots_;  // of each term's pairs
  bool uses_velocity_ = false;
};

}  // namespace sinew::physics
