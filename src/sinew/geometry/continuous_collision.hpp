// SPDX-License-Identifier: Apache-2.0
// How far two features can go on straight ways before they meet: conservative advancement, as in
// additive continuous collision detection (Li et al. 2021, Codimensional Incremental Potential
// Contact), with a proof for every step that holds in floating-point arithmetic.
//
// For a fixed unit vector n the distance of two hulls of corners a_i, b_j is at least the least
// n.(a_i - b_j), and this is linear in time where the corners go straight. A step takes n from the
// shortest way at its start and goes on until one of these products, less a bound of its rounding
// error, falls to the gap that is to be kept. Nothing is demanded of n but its length: a poor
// shortest way makes a step short, never wrong. A product is rounded relative to a_i - b_j, so it
// does not matter how far the features are from the origin.
#pragma once

#include <limits>

#include <sinew/geometry/closest.hpp>

namespace sinew::geometry {

/// A part a of the way from `from` to `to` such that on all of [0, a] the features stay apart by
/// more than `thickness` [m] and keep the share `kept` of the gap beyond it that they begin with,
/// or `most` [m] where that is less; 1 if that holds to the end.
///
/// - It holds for the straight ways, and as well for from + b (to - from) rounded to doubles, b in
///   [0, a]: what this rounding can do to a distance counts as thickness. Features that are closer
///   than that (about 1e-15 of their coordinates) may only move apart; for them the second half of
///   the statement is not assured.
/// - 0 where the gap at the start is not positive, or not by more than the error with which it is
///   known (about 1e-15 of the size of the features), and for what is not finite.
/// - Planes have no end. Theirs may turn; the rounding of their corners counts as at the start.
double free_part(Feature kind, const Corners& from, const Corners& to, double thickness = 0.0,
                 double kept = 0.1, double most = std::numeric_limits<double>::infinity());

}  // namespace sinew::geometry
