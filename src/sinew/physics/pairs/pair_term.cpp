// SPDX-License-Identifier: Apache-2.0
// Pairs are looked for within a little more than the cutoff, and the list is used until a particle
// has gone half of that little. Which list it is changes nothing, to the last bit: pairs come in
// the order of their particles, and those beyond the cutoff add nothing.
#include <algorithm>
#include <atomic>
#include <set>

#include <sinew/physics/elements/spring_set.hpp>
#include <sinew/physics/pairs/neighbours.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>

namespace sinew::physics {
namespace {

// of the cutoff
constexpr double skin = 0.15;
// Pieces of the list that threads work on, each with a field of forces of its own. Their number is
// fixed, since it decides in which order forces are added.
constexpr int num_pieces = 16;

struct PairScratch final : TermScratch {
  Neighbours list;
  std::vector<Vec3> made_at;  ///< where the particles were
  std::vector<PaddedField> forces;
};

template <class Potential>
class PairTerm final : public Term {
 public:
  PairTerm(Potential potential, PairSpec spec)
      : potential_(std::move(potential)),
        spec_(std::move(spec)),
        excluded_(spec_.excluded.begin(), spec_.excluded.end()) {
    SINEW_ASSERT(std::is_sorted(spec_.vertices.begin(), spec_.vertices.end()),
                 "particles of pairs must ascend");
    SINEW_ASSERT(spec_.kinds.size() == spec_.vertices.size(), "one kind per particle");
  }

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"pairs", dynamics::LedgerKind::stored},
            .has_moving_pairs = true,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = true};
  }
  std::unique_ptr<TermScratch> make_scratch() const override {
    return std::make_unique<PairScratch>();
  }
  double energy_scale() const override { return spec_.energy_scale; }

  double energy(const Configuration& at, TermWork& work) const override {
    const Neighbours& list = current_list(at.x, work);
    work.partial.assign(num_pieces, 0.0);
    work.executor.for_each(num_pieces, [&](int piece) {
      double& sum = work.partial[static_cast<std::size_t>(piece)];
      for_each_pair(piece, list, at.x, [&](int, int, const Vec3&, double, const PairValue& phi) {
        sum += phi.energy;
      });
    });
    double total = 0.0;
    for (const double one : work.partial) total += one;
    return total;
  }

  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    const Neighbours& list = current_list(at.x, work);
    std::vector<PaddedField>& forces = static_cast<PairScratch&>(*work.own).forces;
    if (forces.empty()) forces.assign(num_pieces, PaddedField(f.num_vertices()));
    work.executor.for_each(num_pieces, [&](int piece) {
      PaddedField& own = forces[static_cast<std::size_t>(piece)];
      for (const int vertex : spec_.vertices) own.vector(vertex).setZero();
      for_each_pair(piece, list, at.x,
                    [&](int a, int b, const Vec3& e, double r, const PairValue& phi) {
                      const Vec3 pull = phi.slope / r * e;
                      own.vector(a) += pull;
                      own.vector(b) -= pull;
                    });
    });
    constexpr Index length = 1024;
    work.executor.for_ranges(std::ssize(spec_.vertices), length, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const int vertex = spec_.vertices[static_cast<std::size_t>(k)];
        for (const PaddedField& own : forces) f.vector(vertex) += own.vector(vertex);
      }
    });
  }

  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (!out.K) return 0;
    const Neighbours& list = current_list(at.x, work);
    Index changed = 0;
    for (int piece = 0; piece < num_pieces; ++piece)
      for_each_pair(piece, list, at.x,
                    [&](int a, int b, const Vec3& e, double r, const PairValue& phi) {
                      Mat3 H;
                      if (spring_hessian(e / r, phi.curvature, phi.slope / r, definiteness, H))
                        ++changed;
                      out.K->add(a, a, H);
                      out.K->add(a, b, -H);
                      out.K->add(b, b, H);
                    });
    return changed;
  }

  void moving_pairs(const Configuration& at, TermWork& work,
                    std::vector<VertexPair>& pairs) const override {
    const Neighbours& list = current_list(at.x, work);
    for (int piece = 0; piece < num_pieces; ++piece)
      for_each_pair(piece, list, at.x, [&](int a, int b, const Vec3&, double, const PairValue&) {
        pairs.push_back({a, b});
      });
  }

 private:
  const Neighbours& current_list(const PaddedField& x, TermWork& work) const {
    auto& scratch = static_cast<PairScratch&>(*work.own);
    const double reach = (1.0 + skin) * potential_.cutoff(),
                 half = 0.5 * skin * potential_.cutoff();
    bool is_old = scratch.made_at.size() != spec_.vertices.size();
    for (std::size_t k = 0; k < scratch.made_at.size() && !is_old; ++k)
      is_old = !((x.vector(spec_.vertices[k]) - scratch.made_at[k]).squaredNorm() < half * half);
    if (!is_old) return scratch.list;
    scratch.list = spec_.direct ? find_neighbours_directly(spec_.vertices, x, reach)
                                : find_neighbours(spec_.vertices, x, reach);
    if (!excluded_.empty()) drop_excluded(scratch.list);
    scratch.made_at.clear();
    for (const int vertex : spec_.vertices) scratch.made_at.emplace_back(x.vector(vertex));
    return scratch.list;
  }

  void drop_excluded(Neighbours& list) const {
    std::size_t kept = 0, from = 0;
    for (std::size_t k = 0; k < spec_.vertices.size(); ++k) {
      const std::size_t to = list.start[k + 1];
      for (; from < to; ++from) {
        const int other = list.others[from];
        if (!excluded_.contains(
                {spec_.vertices[k], spec_.vertices[static_cast<std::size_t>(other)]}))
          list.others[kept++] = other;
      }
      list.start[k + 1] = kept;
    }
    list.others.resize(kept);
  }

  /// use(a, b, from a to b, distance, phi) for the pairs of a piece closer than the cutoff.
  template <class Use>
  void for_each_pair(int piece, const Neighbours& list, const PaddedField& x,
                     const Use& use) const {
    const std::size_t n = spec_.vertices.size();
    const auto part = [&](int k) {
      return n * static_cast<std::size_t>(k) / static_cast<std::size_t>(num_pieces);
    };
    const double limit = potential_.cutoff() * potential_.cutoff();
    for (std::size_t k = part(piece); k < part(piece + 1); ++k) {
      const int a = spec_.vertices[k];
      const Vec3 here = x.vector(a);
      for (const int other : list.of(k)) {
        const int b = spec_.vertices[static_cast<std::size_t>(other)];
        const Vec3 e = x.vector(b) - here;
        const double square = e.squaredNorm();
        if (!(square < limit)) continue;
        const double r = std::sqrt(square);
        use(a, b, e, r,
            potential_.evaluate(spec_.kinds[k], spec_.kinds[static_cast<std::size_t>(other)], r));
      }
    }
  }

  Potential potential_;
  PairSpec spec_;
  std::set<std::array<int, 2>> excluded_;
};

}  // namespace

std::unique_ptr<Term> make_pair_term(LennardJones potential, PairSpec spec) {
  return std::make_unique<PairTerm<LennardJones>>(std::move(potential), std::move(spec));
}

std::unique_ptr<Term> make_pair_term(TabulatedPotential potential, PairSpec spec) {
  return std::make_unique<PairTerm<TabulatedPotential>>(std::move(potential), std::move(spec));
}

}  // namespace sinew::physics
