// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/Sparse>
#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

physics::BodiesSpec bar(const physics::MaterialEntry& material) {
  physics::Body body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = {4.0, 1.0, 1.0}, .cells = {120, 13, 13}});
  body.tets.assign(body.mesh.tets.size(),
                   {.material = &material, .moduli = physics::moduli(1e6, 0.45)});
  physics::BodiesSpec spec;
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

/// How one would write it first: an element at a time with Eigen, triplets, setFromTriplets.
class PlainAssembly {
 public:
  PlainAssembly(const physics::Body& body, const physics::MaterialEntry& material)
      : body_(body), material_(material) {
    for (const mesh::Tet& tet : body.mesh.tets) {
      Mat3 Dm;
      for (int k = 0; k < 3; ++k)
        Dm.col(k) = body.mesh.vertices[tet[k + 1]] - body.mesh.vertices[tet[0]];
      const Mat3 inverse = Dm.inverse();
      Eigen::Matrix<double, 4, 3> gradients;
      gradients.bottomRows<3>() = inverse;
      gradients.row(0) = -inverse.colwise().sum();
      gradients_.push_back(gradients);
      volumes_.push_back(std::abs(Dm.determinant()) / 6.0);
    }
  }

  /// The part of projecting every element by a general eigen-solver that cannot be avoided: its
  /// eigenvalues and the product that puts it together again. Nothing is assembled.
  double project(const std::vector<Vec3>& x) const {
    using Mat12 = Eigen::Matrix<double, 12, 12>;
    const physics::Parameters parameters = material_.parameters(body_.tets[0].moduli);
    double sum = 0.0;
    for (std::size_t t = 0; t < body_.mesh.tets.size(); ++t) {
      const Eigen::SelfAdjointEigenSolver<Mat12> eigen(element_stiffness(t, x, parameters));
      const Mat12 projected = eigen.eigenvectors() *
                              eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                              eigen.eigenvectors().transpose();
      sum += projected(0, 0);
    }
    return sum;
  }

  void run(const std::vector<Vec3>& x) {
    const physics::Parameters parameters = material_.parameters(body_.tets[0].moduli);
    f_.setZero(3 * body_.mesh.num_vertices());
    triplets_.clear();
    for (std::size_t t = 0; t < body_.mesh.tets.size(); ++t) {
      const mesh::Tet& tet = body_.mesh.tets[t];
      const auto& gradients = gradients_[t];
      const Mat3 P = material_.first_piola(parameters, deformation_gradient(t, x));
      const auto K = element_stiffness(t, x, parameters);
      for (int k = 0; k < 4; ++k) {
        f_.segment<3>(3 * tet[k]) -= volumes_[t] * P * gradients.row(k).transpose();
        for (int l = 0; l < 4; ++l)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              triplets_.emplace_back(3 * tet[k] + i, 3 * tet[l] + j, K(3 * k + i, 3 * l + j));
      }
    }
    K_.resize(f_.size(), f_.size());
    K_.setFromTriplets(triplets_.begin(), triplets_.end());
  }

 private:
  Mat3 deformation_gradient(std::size_t t, const std::vector<Vec3>& x) const {
    Mat3 F = Mat3::Zero();
    for (int k = 0; k < 4; ++k) F += x[body_.mesh.tets[t][k]] * gradients_[t].row(k);
    return F;
  }

  Eigen::Matrix<double, 12, 12> element_stiffness(std::size_t t, const std::vector<Vec3>& x,
                                                  const physics::Parameters& parameters) const {
    const physics::Mat9 H = material_.hessian(parameters, deformation_gradient(t, x));
    Eigen::Matrix<double, 9, 12> dF = Eigen::Matrix<double, 9, 12>::Zero();
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) dF(3 * j + i, 3 * k + i) = gradients_[t](k, j);
    return volumes_[t] * dF.transpose() * H * dF;
  }

  const physics::Body& body_;
  const physics::MaterialEntry& material_;
  std::vector<Eigen::Matrix<double, 4, 3>> gradients_;
  std::vector<double> volumes_;
  Vec f_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> K_;
};

/// Weak springs between vertices far apart, which come and go as contacts do: those of the lower or
/// of the upper half are there, by the sign of the time.
class ComingAndGoing final : public physics::Term {
 public:
  ComingAndGoing(int num_vertices, int num_pairs)
      : stride_(num_vertices / (2 * num_pairs)), num_pairs_(num_pairs) {}

  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential,
            .row = {"pairs", dynamics::LedgerKind::stored},
            .has_moving_pairs = true};
  }
  void add_force(const physics::Configuration& at, physics::TermWork&,
                 physics::PaddedField& f) const override {
    for_each_pair(at, [&](int a, int b) {
      const Vec3 e = at.x.vector(b) - at.x.vector(a);
      f.vector(a) += e;
      f.vector(b) -= e;
    });
  }
  Index add_tangent(const physics::Configuration& at, dynamics::Definiteness, physics::TermWork&,
                    const physics::TangentOut& out) const override {
    for_each_pair(at, [&](int a, int b) {
      out.K->add(a, a, Mat3::Identity());
      out.K->add(a, b, -Mat3::Identity());
      out.K->add(b, b, Mat3::Identity());
    });
    return 0;
  }
  void moving_pairs(const physics::Configuration& at, physics::TermWork&,
                    std::vector<physics::VertexPair>& pairs) const override {
    for_each_pair(at, [&](int a, int b) { pairs.push_back({a, b}); });
  }

 private:
  template <class Use>
  void for_each_pair(const physics::Configuration& at, const Use& use) const {
    const int half = num_pairs_ / 2, first = at.t < 0.0 ? half : 0;
    for (int k = first; k < first + half; ++k) use(k * stride_, (num_pairs_ + k) * stride_);
  }

  int stride_, num_pairs_;
};

physics::BodiesSpec with_pairs(physics::BodiesSpec spec) {
  spec.further_terms.push_back([](const physics::TermSite& site) {
    constexpr int num_pairs = 2000;
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(std::make_unique<ComingAndGoing>(site.numbering.num_vertices(), num_pairs));
    return terms;
  });
  return spec;
}

/// One system on a given number of threads, slightly deformed.
struct Subject {
  Subject(const physics::BodiesSpec& spec, int threads)
      : executor(threads),
        system(physics::to_terms(spec), executor),
        workspace(system.make_workspace()),
        linearization(system.make_linearization()),
        state(system.rest_state()) {
    for (Index i = 0; i < state.q.size(); ++i) state.q[i] *= 1.0 + 1e-3 * std::sin(0.1 * double(i));
  }

  void force_and_tangent(dynamics::Definiteness definiteness = dynamics::Definiteness::exact) {
    system.linearize(state, {.definiteness = definiteness}, *workspace, *linearization, &f);
  }
  void force() { system.force(state, *workspace, f); }

  core::Executor executor;
  physics::TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
  std::unique_ptr<dynamics::Linearization> linearization;
  dynamics::State state;
  Vec f;
};

}  // namespace

void bench_assembly(BenchLog& log) {
  const auto add_rows = [&](const physics::MaterialEntry& material,
                            const std::vector<Timing>& timings) {
    for (const Timing& timing : timings)
      log.row(fmt::format("{}: {}", material.name, timing.name), timing.median_seconds,
              timing.ratio);
  };
  constexpr auto clamp = dynamics::Definiteness::psd_clamp;
  for (const physics::MaterialEntry& material : physics::materials()) {
    const physics::BodiesSpec spec = bar(material);
    Subject one(spec, 1), two(spec, 2);
    PlainAssembly plain(spec.bodies[0], material);
    const std::vector<Vec3>& x = spec.bodies[0].mesh.vertices;
    if (&material == physics::materials().data())
      log.title(fmt::format("assembly of {} tets; ratio to force + tangent on 1 thread",
                            one.system.num_cells()));
    add_rows(material,
             race({{"force + tangent, 1 thread", [&] { one.force_and_tangent(); }},
                   {"force + tangent, 2 threads", [&] { two.force_and_tangent(); }},
                   {"force alone, 1 thread", [&] { one.force(); }},
                   {"force + psd-clamp tangent, 1 thread", [&] { one.force_and_tangent(clamp); }},
                   {"plain Eigen loop with triplets, 1 thread", [&] { plain.run(x); }}},
                  15));
    // much the same for every material, and partly seconds long
    if (&material != &physics::materials().front()) continue;
    Subject kept(with_pairs(spec), 1), changing(with_pairs(spec), 1);
    kept.state.t = 1.0;
    add_rows(material,
             race({{"force + tangent, 1 thread", [&] { one.force_and_tangent(); }},
                   {"the same beside 1000 pairs that stay", [&] { kept.force_and_tangent(); }},
                   {"the same beside 1000 pairs that are others every time",
                    [&] {
                      changing.state.t = changing.state.t > 0.0 ? -1.0 : 1.0;
                      changing.force_and_tangent();
                    }}},
                  15));
    add_rows(material,
             race({{"force + psd-clamp tangent, 1 thread", [&] { one.force_and_tangent(clamp); }},
                   {"12x12 eigen-solver per tet alone, 1 thread",
                    [&] {
                      if (plain.project(x) < 0.0) throw std::logic_error("not definite");
                    }}},
                  3));
  }
}

}  // namespace sinew::cli
