// SPDX-License-Identifier: Apache-2.0
// What a run cost: how often each coarse operation was done and how long it took.
#pragma once

#include <chrono>

namespace sinew::core {

/// Numbers of coarse operations.
struct Counts {
  long force = 0;           ///< force evaluations
  long tangent = 0;         ///< tangent assemblies
  long analyses = 0;        ///< symbolic factorisations
  long factorizations = 0;  ///< numeric factorisations
  long solves = 0;          ///< right-hand sides solved for
  long matvecs = 0;         ///< products of K, D or M with a vector
  long newton = 0;          ///< Newton iterations
  long krylov = 0;          ///< Krylov vectors or CG iterations
  long modes_iterations = 0;

  Counts& operator+=(const Counts& other) {
    force += other.force;
    tangent += other.tangent;
    analyses += other.analyses;
    factorizations += other.factorizations;
    solves += other.solves;
    matvecs += other.matvecs;
    newton += other.newton;
    krylov += other.krylov;
    modes_iterations += other.modes_iterations;
    return *this;
  }
};

/// Wall-clock seconds per phase.
struct Seconds {
  double assemble = 0.0;   ///< forces, energies and tangents
  double factorize = 0.0;  ///< symbolic and numeric
  double solve = 0.0;
  double modes = 0.0;
  double phi = 0.0;
  double contact = 0.0;

  Seconds& operator+=(const Seconds& other) {
    assemble += other.assemble;
    factorize += other.factorize;
    solve += other.solve;
    modes += other.modes;
    phi += other.phi;
    contact += other.contact;
    return *this;
  }
};

struct Profile {
  Counts counts;
  Seconds seconds;

  Profile& operator+=(const Profile& other) {
    counts += other.counts;
    seconds += other.seconds;
    return *this;
  }
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Adds the time from construction to destruction to `total`.
class ScopedTimer {
 public:
  explicit ScopedTimer(double& total) : total_(total) {}
  ~ScopedTimer() { total_ += watch_.seconds(); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double& total_;
  Stopwatch watch_;
};

}  // namespace sinew::core
