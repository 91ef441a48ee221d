// SPDX-License-Identifier: Apache-2.0
// The entries of all methods, one function per file; registry.cpp makes the table of them.
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

// explicit/
IntegratorEntry explicit_euler();
IntegratorEntry symplectic_euler();
IntegratorEntry verlet();
IntegratorEntry rk4();

// implicit/
IntegratorEntry si();
IntegratorEntry be();
IntegratorEntry implicit_midpoint();
IntegratorEntry trapezoidal();
IntegratorEntry bdf2();
IntegratorEntry sbdf2();
IntegratorEntry tr_bdf2();
IntegratorEntry str_sbdf2();
IntegratorEntry sdirk2();
IntegratorEntry ssdirk2();
IntegratorEntry newmark();
IntegratorEntry generalized_alpha();
IntegratorEntry hht();
IntegratorEntry v_imex();
IntegratorEntry equilibrium();  // not in the table: nothing moves in time

// imex/
IntegratorEntry imex();

// exponential/
IntegratorEntry ere();
IntegratorEntry exprb42();
IntegratorEntry pexprb43();
IntegratorEntry eti();
IntegratorEntry neti();
IntegratorEntry ceti();

// hybrid/
IntegratorEntry siere();
IntegratorEntry beere();
IntegratorEntry bdf2ere();
IntegratorEntry sbdf2ere();
IntegratorEntry str_sbdf2ere();
IntegratorEntry tr_bdf2ere();
IntegratorEntry ssdirk2ere();
IntegratorEntry blend();

}  // namespace sinew::integrators
