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
    // seconds long, and much the same for every material
    if (&material == &physics::materials().front())
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
