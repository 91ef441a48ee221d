// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/term_split.hpp>
#include <sinew/physics/term_system.hpp>

namespace sinew::physics {
namespace {

/// Where vertices are that others move.
struct Surroundings final : VertexMotion {
  std::vector<Vec3> x, v;

  Vec3 position(std::size_t vertex, const Vec3&, double) const override { return x[vertex]; }
  Vec3 velocity(std::size_t vertex, const Vec3&, double) const override { return v[vertex]; }
  Vec3 acceleration(std::size_t, const Vec3&, double) const override { return Vec3::Zero(); }
  bool depends_on_time() const override { return false; }
};

/// Terms with the elements that have one of these vertices, and which term of the whole each is.
struct Restricted {
  std::vector<std::shared_ptr<const Term>> terms;
  std::vector<std::size_t> of_whole;

  Restricted(const TermSum& sum, const std::vector<char>& is_wanted) {
    for (std::size_t k = 0; k < sum.terms().size(); ++k) {
      const TermSum::Entry& entry = sum.terms()[k];
      std::shared_ptr<const Term> term = entry.term;
      if (term->num_elements() > 0 && entry.num_internal == 0) {
        const dynamics::ElementNodes elements = term->element_vertices();
        std::vector<int> kept;
        for (int e = 0; e < elements.size(); ++e) {
          const auto vertices = elements.of(e);
          if (std::any_of(vertices.begin(), vertices.end(), [&](int vertex) {
                return is_wanted[static_cast<std::size_t>(vertex)] != 0;
              }))
            kept.push_back(e);
        }
        if (kept.empty()) continue;
        if (std::ssize(kept) < elements.size()) term = term->restricted_to(kept);
      }
      terms.push_back(std::move(term));
      of_whole.push_back(k);
    }
  }
};

/// One part with its workspace.
struct Part {
  Part(const TermSum& whole, std::shared_ptr<const Numbering> numbering,
       PrescribedVertices prescribed, Restricted restricted)
      : of_whole(std::move(restricted.of_whole)),
        system(std::move(numbering), std::move(prescribed), whole.mass(),
               std::move(restricted.terms), whole.executor()),
        workspace(system.make_workspace()) {}

  /// Internal variables are those of terms that are whole.
  void set_internal(const TermSum& whole, const Vec& values, Vec& own) const {
    own.resize(system.sum().num_internal());
    for (std::size_t k = 0; k < of_whole.size(); ++k) {
      const TermSum::Entry &to = system.sum().terms()[k], &from = whole.terms()[of_whole[k]];
      own.segment(to.internal_begin, to.num_internal) =
          values.segment(from.internal_begin, from.num_internal);
    }
  }

  std::vector<std::size_t> of_whole;
  TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
};

class TermParts final : public dynamics::SplitParts {
 public:
  TermParts(const TermSystem& system, const dynamics::Partition& partition)
      : sum_(system.sum()), around_(std::make_shared<Surroundings>()) {
    const Numbering& numbering = sum_.numbering();
    std::vector<char> is_implicit(static_cast<std::size_t>(numbering.num_free()), 0);
    for (const Index dof : partition.implicit_dofs) is_implicit[std::size_t(dof / 3)] = 1;
    const auto count = static_cast<std::size_t>(numbering.num_vertices());
    std::vector<char> by_steps(count, 0), by_solving(count, 0);
    for (int vertex = 0; vertex < numbering.num_vertices(); ++vertex) {
      const int block = numbering.block(vertex);
      if (block < 0) continue;
      const bool solves = is_implicit[static_cast<std::size_t>(block)] != 0;
      (solves ? by_solving : by_steps)[static_cast<std::size_t>(vertex)] = 1;
      if (!solves) continue;
      vertices_.push_back(vertex);
      blocks_.push_back(block);
    }
    around_->x.assign(count, Vec3::Zero());
    around_->v.assign(count, Vec3::Zero());
    explicit_ = std::make_unique<Part>(sum_, sum_.shared_numbering(), sum_.prescribed(),
                                       Restricted(sum_, by_steps));
    auto compact = std::make_shared<const Numbering>(numbering.with_free(vertices_));
    PrescribedVertices others(around_, *compact);
    implicit_ = std::make_unique<Part>(sum_, std::move(compact), std::move(others),
                                       Restricted(sum_, by_solving));
    whole_ = sum_.make_workspace();
  }

  const dynamics::DynamicalSystem& explicit_system() const override { return explicit_->system; }
  dynamics::Workspace& explicit_workspace() override { return *explicit_->workspace; }
  void explicit_state(const dynamics::State& whole, dynamics::State& own) const override {
    own.q = whole.q;
    own.v = whole.v;
    own.t = whole.t;
    explicit_->set_internal(sum_, whole.internal, own.internal);
  }

  const dynamics::DynamicalSystem& implicit_system() const override { return implicit_->system; }
  dynamics::Workspace& implicit_workspace() override { return *implicit_->workspace; }
  void implicit_state(const dynamics::State& whole, dynamics::State& own) const override {
    own.q.resize(3 * std::ssize(blocks_));
    own.v.resize(own.q.size());
    own.t = whole.t;
    implicit_->set_internal(sum_, whole.internal, own.internal);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const Index from = 3 * static_cast<Index>(blocks_[k]), to = 3 * static_cast<Index>(k);
      own.q.segment<3>(to) = whole.q.segment<3>(from);
      own.v.segment<3>(to) = whole.v.segment<3>(from);
    }
  }

  void around(const dynamics::State& whole) override {
    sum_.load_positions(whole, *whole_);
    sum_.load_velocities(whole, *whole_);
    for (std::size_t k = 0; k < around_->x.size(); ++k) {
      around_->x[k] = whole_->x.vector(static_cast<int>(k));
      around_->v[k] = whole_->v.vector(static_cast<int>(k));
    }
    implicit_->system.sum().own(*implicit_->workspace).motion.forget();
  }

 private:
  const TermSum& sum_;
  std::shared_ptr<Surroundings> around_;
  std::vector<int> vertices_, blocks_;  // of the implicit part: internal order, nodes of the whole
  std::unique_ptr<Part> explicit_, implicit_;
  std::unique_ptr<TermWorkspace> whole_;
};

}  // namespace

bool TermSplit::is_possible() const {
  return system_.mass().diagonal_only() != nullptr &&
         !system_.sum().any([](const TermTraits& traits) { return traits.holds_vertices; });
}

void TermSplit::partition(const dynamics::State& state, const dynamics::PartitionWish& wish,
                          dynamics::Workspace& workspace, dynamics::Partition& split) const {
  const auto linearization = system_.make_linearization();
  system_.linearize(state, {.definiteness = dynamics::Definiteness::psd_clamp}, workspace,
                    *linearization);
  const la::LinearOperator& S = linearization->combine(0.0, 2.0 * wish.dt, wish.dt * wish.dt);
  const dynamics::ElementNodes elements = system_.element_nodes();
  const dynamics::ExplicitStability stability(*S.assembled(), *system_.mass().diagonal_only(),
                                              elements);
  std::vector<signed char> known;  // of nodes
  for (std::size_t k = 0; k + 2 < wish.known.size(); k += 3) known.push_back(wish.known[k]);
  const std::vector<char> is_implicit =
      stability.implicit_nodes(wish.safety * wish.safety * dynamics::explicit_limit, known);
  split = {};
  for (std::size_t node = 0; node < is_implicit.size(); ++node)
    for (Index c = 0; c < 3; ++c)
      (is_implicit[node] ? split.implicit_dofs : split.explicit_dofs)
          .push_back(3 * static_cast<Index>(node) + c);
}

std::unique_ptr<dynamics::SplitParts> TermSplit::make_parts(
    const dynamics::Partition& partition) const {
  return std::make_unique<TermParts>(system_, partition);
}

}  // namespace sinew::physics
