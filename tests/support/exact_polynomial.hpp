// SPDX-License-Identifier: Apache-2.0
// Polynomials with integer coefficients, their real roots in [0, 1], and the signs of others there,
// all of it exact.
#pragma once

#include <vector>

#include <gmpxx.h>

namespace sinew::test {

using Integer = mpz_class;

/// Coefficients of 1, s, s^2, ... without leading zeros; none for the zero polynomial.
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<Integer> coefficients);

  bool is_zero() const { return c_.empty(); }
  int degree() const { return static_cast<int>(c_.size()) - 1; }
  const std::vector<Integer>& coefficients() const { return c_; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  std::vector<Integer> c_;
};

/// numerator / 2^shift.
struct Dyadic {
  Integer numerator;
  unsigned shift = 0;
};

int sign_at(const Polynomial& p, const Dyadic& s);
Polynomial greatest_common_divisor(Polynomial a, Polynomial b);

/// Counts the different roots of a polynomial by Sturm's theorem.
class SturmChain {
 public:
  explicit SturmChain(const Polynomial& p);

  /// Without repeated factors.
  const Polynomial& simple() const { return chain_.front(); }
  /// In (low, high].
  int count(const Dyadic& low, const Dyadic& high) const { return changes(low) - changes(high); }

 private:
  int changes(const Dyadic& s) const;

  std::vector<Polynomial> chain_;
};

/// A root in [0, 1]: the only one of its polynomial in (low, high], or both are the root itself.
class Root {
 public:
  /// A point, as a root.
  explicit Root(const Dyadic& place);

  /// Of a polynomial there.
  int sign_of(const Polynomial& p);

  /// Of a polynomial that is not zero, in ascending order.
  static std::vector<Root> all_of(const Polynomial& p);

 private:
  explicit Root(const SturmChain& chain) : chain_(chain) {}
  void refine();

  SturmChain chain_;
  Dyadic low_, high_;
  bool is_known_ = false;
};

}  // namespace sinew::test
