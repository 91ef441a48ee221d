// SPDX-License-Identifier: Apache-2.0
// A scene as plain data: what the JSON file says, with every default filled in. SI units
// throughout.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sinew/integrators/options.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/selection.hpp>

namespace sinew::scene {

/// Formulas in x, y, z (rest coordinates) and t; plain numbers are formulas too.
using Formulas = std::array<std::string, 3>;

/// A number or a formula in x, y, z.
struct Formula {
  std::string text;

  Formula(double value);  // NOLINT(google-explicit-constructor): a number is a formula
  Formula(std::string formula) : text(std::move(formula)) {}  // NOLINT(google-explicit-constructor)
  Formula(const char* formula) : text(formula) {}             // NOLINT(google-explicit-constructor)

  bool operator==(const Formula&) const = default;
};

struct MeshSpec {
  std::string file{};   ///< relative to the scene file; empty: made by the generator
  bool repair = false;  ///< turn inverted tets around, drop unused vertices
  bool torn = false;    ///< vertices at the same place may be two
  std::string generator = "bar";
  mesh::GeneratorValues parameters{};    ///< of the generator; what is missing takes its default
  std::vector<mesh::ShapePart> parts{};  ///< of the generator shape
  std::optional<int> order{};            ///< of its tets, 1 or 2; none: as they come
};

using TransformSpec = mesh::Placement;

struct MaterialSpec {
  std::string model = "stable-neo-hookean";
  Formula young = 1e6;  ///< [Pa]
  Formula poisson = 0.45;
  std::map<std::string, Formula> constants{};  ///< of single models; a missing one has its default
  Formula density = 1000.0;                    ///< [kg/m^3]
};

/// One damping ratio at two frequencies.
struct ModalDampingSpec {
  double ratio = 0.0;                               ///< of critical damping
  std::vector<double> frequencies = {10.0, 100.0};  ///< where it holds exactly [Hz]
};

/// D = mass * M + stiffness * K.
struct DampingSpec {
  Formula mass = 0.0;                       ///< [1/s]
  Formula stiffness = 0.0;                  ///< [s]
  std::string shape = "rest";               ///< whose K
  std::optional<ModalDampingSpec> modal{};  ///< instead of mass and stiffness
};

/// What differs between the springs of a part of a body and the others.
struct SpringChanges {
  std::optional<std::string> law{};
  std::optional<Formula> stiffness{}, young{}, section{}, rest_scale{}, yield{}, hardening{};
  std::map<std::string, Formula> constants{};
};

/// Another material for part of a body; what is not given stays as the body has it.
struct RegionSpec {
  mesh::Selection select;
  std::optional<std::string> model;
  std::optional<Formula> young, poisson, density;
  std::map<std::string, Formula> constants;
  std::optional<Formula> damping_mass, damping_stiffness;
  SpringChanges springs{};  ///< in a body of springs
};

/// Fibres made of cuboid cells, as a brush has them.
struct FibreSpec {
  double young = 1e9;    ///< [Pa]
  double torsion = 4e8;  ///< modulus [Pa]
};

/// Of a body of type "springs". Particles are the vertices of the mesh and springs its edges, or
/// both are listed.
struct SpringsSpec {
  std::vector<Vec3> particles{};            ///< instead of a mesh [m]
  std::vector<std::array<int, 2>> pairs{};  ///< of the particles listed
  std::string springs_file{};               ///< pairs of the mesh's vertices, as a table
  std::vector<double> masses{};             ///< instead of one for all [kg]
  std::optional<Formula> mass{};            ///< of each particle; else that of the mesh, or 1 [kg]
  std::optional<Formula> density{};         ///< per volume, area or length, instead of mass
  std::string law = "linear";
  Formula stiffness = 1000.0;                  ///< of each spring [N/m]
  std::optional<Formula> young{};              ///< instead of stiffness: E section / length [Pa]
  Formula section = 0.0;                       ///< area; 0: not known [m^2]
  Formula rest_scale = 1.0;                    ///< rest length over length in the mesh
  std::optional<Formula> yield{};              ///< strain where it gives way for good
  Formula hardening = 0.0;                     ///< gain of that threshold per lasting strain
  std::map<std::string, Formula> constants{};  ///< of single laws
  std::optional<FibreSpec> fibre{};            ///< instead of stiffness, for the regions of a brush
  std::vector<double> stiffnesses{};           ///< one per spring [N/m]
  std::vector<double> rest_lengths{};          ///< one per spring [m]
  std::optional<Formula> bending{};  ///< flexural rigidity: of surfaces [N m], of chains [N m^2]
  std::optional<Formula> angle{};    ///< stiffness between springs that meet [N m]
};

struct BodySpec {
  std::string name = "body";
  std::string type = "solid";
  MeshSpec mesh;
  TransformSpec transform;
  MaterialSpec material;  ///< of a solid
  std::vector<RegionSpec> regions;
  std::string mass = "lumped";  ///< of a solid
  SpringsSpec springs;
  DampingSpec damping;
  double thickness = 0.0;                ///< of surfaces and bars where they meet others [m]
  Formulas velocity{"0", "0", "0"};      ///< at t = 0 [m/s]
  Formulas displacement{"0", "0", "0"};  ///< at t = 0, from the rest shape [m]
};

struct FixedSpec {
  std::string body;
  mesh::Selection select;
};

struct MotionSpec {
  std::string body;
  mesh::Selection select;
  Formulas position{"x", "y", "z"};                        ///< [m]
  double until = std::numeric_limits<double>::infinity();  ///< released then [s]
};

/// What happens before t = 0: vertices are moved slowly, everything else follows, and all of it is
/// let go at rest.
struct SettleSpec {
  double dt = 0.1;   ///< of the script between one equilibrium and the next [s]
  double end = 1.0;  ///< how long it takes [s]
  std::vector<MotionSpec> motion{};
};

/// Vertices of one body that hold on to another.
struct AttachmentSpec {
  std::string body;
  mesh::Selection select;
  std::string to;                     ///< another body
  std::optional<double> stiffness{};  ///< of springs; not given: vertices at the same place are one
  double within = 1e-6;               ///< how far away the other body may be [m]
};

/// Constants of particles of one species.
struct SpeciesSpec {
  std::string name;    ///< chemical symbol
  double depth = 0.0;  ///< [J]
  double size = 0.0;   ///< [m]
};

/// Between all pairs of particles.
struct InteractionSpec {
  std::string type = "lennard-jones";
  std::vector<std::string> bodies{};      ///< none: all bodies of springs
  std::optional<double> depth{}, size{};  ///< of Lennard-Jones, for all species [J], [m]
  std::vector<SpeciesSpec> species{};     ///< for single ones
  std::string file{};                     ///< of a table: distance and energy, by columns
  std::optional<double> cutoff{};         ///< [m]
  std::optional<double> from{};           ///< where the switch begins [m]
  int exclude = 2;                        ///< pairs up to this many springs apart do not act
  std::string search = "cells";
};

/// Types of loads that need no catalog.
std::vector<std::string> builtin_load_types();

struct LoadSpec {
  std::string type = "gravity";
  std::string body{};
  mesh::Selection select{};
  Formulas value{"0", "0", "-9.81"};  ///< gravity [m/s^2]; force and pulse, default 0 [N]
  Formula pressure = 0.0;             ///< positive pushes inwards [Pa]
  Formulas velocity{"0", "0", "0"};   ///< of the wind [m/s]
  double density = 1.2;               ///< of the air [kg/m^3]
  double drag = 1.0;
  double diameter = 0.0;                                    ///< of bars in the wind [m]
  std::map<std::string, std::vector<double>> parameters{};  ///< of a type that a program added
  std::optional<double> from{}, until{};                    ///< when it acts [s]
};

/// Places of the vertices of a mesh over time, one file each.
struct SequenceSpec {
  std::string files{};  ///< beside the scene, with one '*' in the name
  double fps = 30.0;    ///< files per second
  double start = 0.0;   ///< time of the first one [s]
};

/// What bodies meet and do not move.
struct ObstacleSpec {
  std::string name{};  ///< empty: made from its type and number
  std::string type = "plane";
  Vec3 point = Vec3::Zero();               ///< of a plane; centre of a sphere [m]
  Vec3 normal = Vec3::UnitZ();             ///< of a plane, to where there is room
  double radius = 0.5;                     ///< of spheres, capsules, cylinders [m]
  double length = 1.0;                     ///< of capsules without their ends, cylinders [m]
  Vec3 size = Vec3::Ones();                ///< of boxes [m]
  MeshSpec mesh{};                         ///< a surface
  std::optional<SequenceSpec> sequence{};  ///< in place of the mesh: it changes its shape
  std::string formula = "x^2 + y^2 + z^2 - 0.25";           ///< negative inside
  std::array<Vec3, 2> within{-Vec3::Ones(), Vec3::Ones()};  ///< where the formula is looked at [m]
  int cells = 32;                                           ///< along the longest side of that
  TransformSpec transform{};
  Formulas position{"x", "y", "z"};  ///< where its points go [m]

  bool moves() const { return sequence || position != Formulas{"x", "y", "z"}; }
};

/// Coefficients of two bodies or obstacles.
struct FrictionPairSpec {
  std::vector<std::string> bodies{};
  std::optional<double> coefficient{};  ///< not given: as everywhere
  std::optional<double> sticking{};
};

struct FrictionSpec {
  double coefficient = 0.3;          ///< of what slides
  std::optional<double> sticking{};  ///< of what does not; not given: the same
  double slip = 1e-3;                ///< speed up to which it counts as sticking [m/s]
  std::string loads = "lagged";      ///< which normal forces it follows
  std::vector<FrictionPairSpec> pairs{};
};

/// Two bodies or obstacles that never meet.
struct ExceptionSpec {
  std::vector<std::string> bodies{};
};

struct ContactSpec {
  std::string model = "barrier";
  std::optional<double> distance{};      ///< at which forces begin [m]
  std::optional<double> stiffness{};     ///< [N/m]
  bool adaptive = false;                 ///< whether a barrier becomes stiffer where it must
  bool tangent = true;                   ///< whether tangents know of it
  std::string surface = "triangles";     ///< what bodies touch with
  double reduction = 0.4;                ///< of sliding, per step, by projection and velocity
  std::optional<std::string> between{};  ///< what meets; not given: all that the model can
  std::vector<ExceptionSpec> except{};
  std::optional<FrictionSpec> friction{};
};

/// A surface along which a body is cut.
struct CutSpec {
  std::string body{};
  std::string type = "plane";
  Vec3 point = Vec3::Zero();      ///< of a plane [m]
  Vec3 normal = Vec3::UnitX();    ///< of a plane
  std::vector<Vec3> points{};     ///< of a path [m]
  Vec3 sweep = Vec3::UnitZ();     ///< direction in which a path is drawn through the body
  MeshSpec mesh{};                ///< a surface
  TransformSpec transform{};      ///< of the mesh
  double at = 0.0;                ///< [s]
  std::optional<double> until{};  ///< it takes until then [s]
  Vec3 along = Vec3::Zero();      ///< where planes and surfaces advance to
  std::optional<std::array<Vec3, 2>> box{};  ///< it goes no further [m]
  std::optional<std::string> frame{};        ///< "world" or "rest"
  double snap = 0.05;
};

/// A body that breaks.
struct FractureSpec {
  std::string body{};
  double strength = 1e6;  ///< tension that it bears [Pa]
  double from = 0.0;      ///< [s]
  int at_once = 1;        ///< cracks per step
  double snap = 0.25;
};

struct IntegratorSpec {
  std::string name = "si";
  integrators::Options options{};  ///< all of the method's options
  std::string solver{};            ///< of linear systems; empty: the default of the build
  std::string factor = "lagged";   ///< or "every-step": how often direct solvers factorise
  double solver_tolerance = 1e-6;  ///< of a lagged factor's iterations
  std::string petsc{};             ///< options of PETSc, for its solvers
};

struct TimeSpec {
  double dt = 0.01;                ///< [s]
  double end = 1.0;                ///< [s]
  int max_halvings = 8;            ///< how often a failing step may be cut in two
  double tolerance = 0.0;          ///< error of a step; 0: steps of length dt [m]
  std::optional<double> dt_min{};  ///< with a tolerance: give up below this [s]
};

struct ProbeSpec {
  std::string name;
  std::string body;
  std::optional<int> vertex;
  mesh::Selection select;
};

struct OutputSpec {
  double fps = 60.0;  ///< frames per simulated second; 0: none
  std::vector<std::string> format{"vtu"};
  std::vector<ProbeSpec> probes;
};

struct SceneSpec {
  int format_version = 1;
  std::string name = "scene";
  std::string description{};
  std::string units = "si";  ///< what numbers mean; "md": nm, ps, u, kJ/mol
  std::optional<Vec3> up{};  ///< of pictures; not given: against gravity, else z
  std::vector<BodySpec> bodies;
  std::vector<AttachmentSpec> attachments{};
  std::vector<InteractionSpec> interactions{};
  std::vector<ObstacleSpec> obstacles{};
  std::optional<ContactSpec> contact{};
  std::vector<FixedSpec> fixed;
  std::vector<MotionSpec> motion;
  std::vector<LoadSpec> loads;
  std::vector<CutSpec> cuts{};
  std::vector<FractureSpec> fracture{};
  std::optional<SettleSpec> settle{};
  IntegratorSpec integrator;
  TimeSpec time;
  OutputSpec output;
  int threads = 0;  ///< 0: all cores

  std::string source =
      "scene";              ///< what messages call it: a file or a built-in name; not in the JSON
  std::string directory{};  ///< of the scene file: where relative mesh names start; not in the JSON
};

}  // namespace sinew::scene
