// SPDX-License-Identifier: Apache-2.0
#include "support/exact_polynomial.hpp"

#include <algorithm>

namespace sinew::test {
namespace {

Polynomial derivative(const Polynomial& p) {
  std::vector<Integer> c;
  for (int i = 1; i <= p.degree(); ++i) c.emplace_back(p.coefficients()[i] * i);
  return Polynomial(std::move(c));
}

/// Divided by the greatest common divisor of the coefficients, which is positive.
Polynomial primitive(const Polynomial& p) {
  Integer content = 0;
  for (const Integer& c : p.coefficients()) content = gcd(content, c);
  std::vector<Integer> c = p.coefficients();
  for (Integer& value : c) value /= content;
  return Polynomial(std::move(c));
}

/// A positive multiple of a modulo b.
Polynomial remainder(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> rest = a.coefficients();
  const std::vector<Integer>& d = b.coefficients();
  while (rest.size() >= d.size()) {
    const Integer scale = abs(d.back()), factor = sgn(d.back()) * rest.back();
    const std::size_t offset = rest.size() - d.size();
    for (Integer& value : rest) value *= scale;
    for (std::size_t i = 0; i < d.size(); ++i) rest[offset + i] -= factor * d[i];
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
  }
  return primitive(Polynomial(std::move(rest)));
}

/// a / b, up to a positive factor if the leading coefficient of b is positive; b divides a.
Polynomial quotient(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> rest = a.coefficients();
  const std::vector<Integer>& d = b.coefficients();
  std::vector<Integer> result(rest.size() - d.size() + 1);
  for (std::size_t offset = result.size(); offset-- > 0;) {
    const Integer factor = rest[offset + d.size() - 1];
    for (Integer& value : rest) value *= d.back();
    for (Integer& value : result) value *= d.back();
    result[offset] = factor;
    for (std::size_t i = 0; i < d.size(); ++i) rest[offset + i] -= factor * d[i];
  }
  return primitive(Polynomial(std::move(result)));
}

Polynomial negative(const Polynomial& p) {
  return Polynomial() - p;
}

Dyadic middle(const Dyadic& a, const Dyadic& b) {
  const unsigned shift = std::max(a.shift, b.shift);
  return {(a.numerator << (shift - a.shift)) + (b.numerator << (shift - b.shift)), shift + 1};
}

}  // namespace

Polynomial::Polynomial(std::vector<Integer> coefficients) : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back() == 0) c_.pop_back();
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> c(std::max(a.c_.size(), b.c_.size()));
  for (std::size_t i = 0; i < a.c_.size(); ++i) c[i] += a.c_[i];
  for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] += b.c_[i];
  return Polynomial(std::move(c));
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  std::vector<Integer> c(std::max(a.c_.size(), b.c_.size()));
  for (std::size_t i = 0; i < a.c_.size(); ++i) c[i] += a.c_[i];
  for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] -= b.c_[i];
  return Polynomial(std::move(c));
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  std::vector<Integer> c(a.c_.size() + b.c_.size() - 1);
  for (std::size_t i = 0; i < a.c_.size(); ++i)
    for (std::size_t j = 0; j < b.c_.size(); ++j) c[i + j] += a.c_[i] * b.c_[j];
  return Polynomial(std::move(c));
}

int sign_at(const Polynomial& p, const Dyadic& s) {
  Integer sum = 0;
  unsigned shift = 0;
  for (int i = p.degree(); i >= 0; --i) {
    sum = sum * s.numerator + (p.coefficients()[i] << shift);
    shift += s.shift;
  }
  return sgn(sum);
}

Polynomial greatest_common_divisor(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial rest = a.degree() < b.degree() ? a : remainder(a, b);
    a = std::move(b);
    b = std::move(rest);
  }
  return !a.is_zero() && a.coefficients().back() < 0 ? negative(a) : a;
}

SturmChain::SturmChain(const Polynomial& p) {
  const Polynomial repeated = greatest_common_divisor(p, derivative(p));
  chain_.push_back(repeated.degree() > 0 ? quotient(p, repeated) : primitive(p));
  Polynomial next = derivative(chain_.front());
  while (!next.is_zero()) {
    chain_.push_back(next);
    next = negative(remainder(chain_[chain_.size() - 2], chain_.back()));
  }
}

int SturmChain::changes(const Dyadic& s) const {
  int changes = 0, last = 0;
  for (const Polynomial& p : chain_) {
    const int sign = sign_at(p, s);
    if (sign * last < 0) ++changes;
    if (sign != 0) last = sign;
  }
  return changes;
}

Root::Root(const Dyadic& place)
    : chain_(Polynomial({-place.numerator, Integer(1) << place.shift})),
      low_(place),
      high_(place),
      is_known_(true) {}

std::vector<Root> Root::all_of(const Polynomial& p) {
  const SturmChain chain(p);
  std::vector<Root> roots;
  if (sign_at(p, {0, 0}) == 0) roots.push_back(Root(Dyadic{0, 0}));
  std::vector<std::pair<Dyadic, Dyadic>> ranges{{Dyadic{0, 0}, Dyadic{1, 0}}};
  while (!ranges.empty()) {
    const auto [low, high] = ranges.back();
    ranges.pop_back();
    const int count = chain.count(low, high);
    if (count == 1) {
      Root root(chain);
      root.low_ = low;
      root.high_ = high;
      if (sign_at(chain.simple(), high) == 0) root = Root(high);
      roots.push_back(root);
    } else if (count > 1) {
      const Dyadic half = middle(low, high);
      ranges.emplace_back(half, high);
      ranges.emplace_back(low, half);
    }
  }
  return roots;
}

void Root::refine() {
  const Dyadic half = middle(low_, high_);
  if (sign_at(chain_.simple(), half) == 0)
    *this = Root(half);
  else if (chain_.count(low_, half) == 1)
    high_ = half;
  else
    low_ = half;
}

int Root::sign_of(const Polynomial& p) {
  if (p.is_zero()) return 0;
  if (!is_known_) {
    const Polynomial common = greatest_common_divisor(chain_.simple(), p);
    if (common.degree() > 0 && SturmChain(common).count(low_, high_) > 0) return 0;
    const SturmChain others(p);
    while (!is_known_ && others.count(low_, high_) > 0) refine();
  }
  // without a root of p in (low, high] its sign is that at high
  return sign_at(p, high_);
}

}  // namespace sinew::test
