// SPDX-License-Identifier: Apache-2.0
// `sinew list` and `sinew info`: the tables of the library, as text or JSON.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/physics/laws/registry.hpp>
#include <sinew/physics/materials/registry.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/stability.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One thing that has a name: a line for `list`, a page for `info`.
struct Item {
  std::string name;
  std::string summary;
  Json details;  ///< in the order they are shown
};

Json option_json(const integrators::OptionValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json option_details(const integrators::OptionInfo& option) {
  Json details{{"default", option_json(option.initial())}};
  if (!std::holds_alternative<std::string>(option.default_value)) {
    details["minimum"] = option.minimum;
    if (std::isfinite(option.maximum)) details["maximum"] = option.maximum;
  }
  if (!option.choices.empty()) details["choices"] = option.choices;
  details["summary"] = option.summary;
  return details;
}

std::vector<Item> list_integrators() {
  std::vector<Item> items;
  for (const integrators::IntegratorEntry& entry : scene::builtin_catalog().integrators()) {
    const integrators::Traits& traits = entry.traits;
    Json details{{"kind", "integrator"},
                 {"title", traits.title},
                 {"equation", traits.equation},
                 {"order", traits.order},
                 {"implicit", traits.is_implicit},
                 {"exponential", traits.is_exponential},
                 {"L-stable", traits.l_stable},
                 {"keeps energy of linear problems", traits.keeps_energy},
                 {"keeps a history", traits.multistep},
                 {"estimates its error", traits.estimates_error},
                 {"symplectic", traits.symplectic},
                 {"exact for linear forces", traits.exact_for_linear},
                 {"keeps linear momentum", traits.keeps_linear_momentum},
                 {"keeps angular momentum", traits.keeps_angular_momentum},
                 {"guarded in scenes", traits.guarded},
                 {"cost per step", traits.cost},
                 {"reference", traits.reference}};
    Json& table = details["options"] = Json::object();
    for (const integrators::OptionInfo& option : entry.options)
      table[option.name] = option_details(option);
    items.push_back({std::string(traits.name),
                     fmt::format("order {}, {}; {}", traits.order,
                                 traits.is_implicit      ? "implicit"
                                 : traits.is_exponential ? "exponential"
                                                         : "explicit",
                                 traits.title),
                     std::move(details)});
  }
  return items;
}

std::vector<Item> list_materials() {
  std::vector<Item> items;
  for (const physics::MaterialEntry& material : physics::materials())
    items.push_back({std::string(material.name),
                     std::string(material.title),
                     {{"kind", "material"},
                      {"title", material.title},
                      {"energy density", material.formula},
                      {"remark", material.remark},
                      {"parameters",
                       "young [Pa], poisson, mooney (mooney-rivlin only); mu = E/(2(1+nu)), "
                       "lambda = E nu/((1+nu)(1-2nu))"},
                      {"reference", material.reference}}});
  return items;
}

std::vector<Item> list_laws() {
  std::vector<Item> items;
  for (const physics::SpringLawEntry& law : physics::spring_laws()) {
    Json details{{"kind", "law"},
                 {"tension", law.formula},
                 {"remark", law.remark},
                 {"s, L", "stretch and rest length of a spring, k its stiffness"}};
    for (const physics::NamedConstant& constant : law.constants)
      details["constants"][std::string(constant.name)] = {{"default", constant.standard},
                                                          {"summary", constant.summary}};
    items.push_back({std::string(law.name), std::string(law.remark), std::move(details)});
  }
  return items;
}

std::vector<Item> list_scenes() {
  std::vector<Item> items;
  for (const scene::BuiltinScene& entry : scene::builtin_scenes()) {
    const scene::SceneSpec spec = scene::parse_scene(entry.json, entry.name);
    items.push_back({std::string(entry.name),
                     spec.description,
                     {{"kind", "scene"},
                      {"group", entry.group},
                      {"description", spec.description},
                      {"integrator", spec.integrator.name},
                      {"dt", spec.time.dt},
                      {"end", spec.time.end}}});
  }
  return items;
}

std::vector<Item> list_generators() {
  std::vector<Item> items;
  for (const mesh::GeneratorEntry& generator : mesh::generators()) {
    Json details{{"kind", "generator"}, {"summary", generator.summary}};
    for (const mesh::GeneratorParameter& parameter : generator.parameters)
      details["parameters"][parameter.name] = {{"default", parameter.defaults},
                                               {"summary", parameter.description}};
    items.push_back({generator.name, generator.summary, std::move(details)});
  }
  return items;
}

template <class Table>
std::vector<Item> list_table(const char* kind, const Table& table) {
  std::vector<Item> items;
  for (const auto& entry : table)
    items.push_back({std::string(entry.name),
                     std::string(entry.summary),
                     {{"kind", kind}, {"summary", entry.summary}}});
  return items;
}

using Lister = std::vector<Item> (*)();
const std::map<std::string, Lister>& listers() {
  static const std::map<std::string, Lister> table{
      {"integrators", list_integrators},
      {"materials", list_materials},
      {"laws", list_laws},
      {"scenes", list_scenes},
      {"generators", list_generators},
      {"solvers", [] { return list_table("solver", la::solvers()); }},
      {"writers", [] { return list_table("writer", output::writers()); }},
  };
  return table;
}

void list(const std::string& what, bool json) {
  if (what.empty())
    throw InputError(Problem{.what = "what is to be listed?",
                             .hint = fmt::format("one of: {}", fmt::join(list_kinds(), ", "))});
  const auto found = listers().find(what);
  if (found == listers().end())
    throw InputError({.what = fmt::format("there is no list of '{}'", what),
                      .hint = core::suggestion(what, list_kinds())});
  const std::vector<Item> items = found->second();
  if (json) {
    Json array = Json::array();
    for (const Item& item : items) {
      Json entry{{"name", item.name}, {"summary", item.summary}};
      entry.update(item.details);
      array.push_back(std::move(entry));
    }
    fmt::print("{}\n", array.dump(2));
    return;
  }
  std::size_t width = 0;
  for (const Item& item : items) width = std::max(width, item.name.size());
  for (const Item& item : items) fmt::print("{:<{}}  {}\n", item.name, width, item.summary);
}

void print_details(const Json& details, int indent) {
  for (const auto& [key, value] : details.items()) {
    if (value.is_object()) {
      fmt::print("{:{}}{}:\n", "", indent, key);
      print_details(value, indent + 2);
    } else if (value.is_boolean()) {
      fmt::print("{:{}}{}: {}\n", "", indent, key, value.get<bool>() ? "yes" : "no");
    } else {
      fmt::print("{:{}}{}: {}\n", "", indent, key,
                 value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

void info(const std::string& name) {
  std::vector<std::string> names;
  bool is_known = false;  // a scene may be called like the generator it uses
  for (const auto& [kind, lister] : listers())
    for (const Item& item : lister()) {
      names.push_back(item.name);
      if (item.name != name) continue;
      fmt::print("{}\n", item.name);
      print_details(item.details, 2);
      is_known = true;
    }
  if (is_known) return;
  throw InputError(
      {.what = fmt::format("nothing is called '{}'", name), .hint = core::suggestion(name, names)});
}

/// A scene by its name or file, or a mesh file as a body of the default material.
scene::SceneSpec scene_or_mesh(const std::string& name,
                               const std::vector<scene::Override>& changes) {
  const std::filesystem::path path(name);
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const mesh::MeshFormat& format : mesh::mesh_formats())
    if (std::find(format.extensions.begin(), format.extensions.end(), ending) !=
        format.extensions.end()) {
      const Json body{{"mesh", {{"file", std::filesystem::absolute(path).string()}}}};
      const Json scene{{"sinew", 1}, {"name", path.stem().string()}, {"bodies", {body}}};
      return scene::parse_scene(scene.dump(), name, changes);
    }
  return scene::find_scene(name, changes);
}

/// Of a step; none where no step could be made.
std::string time_text(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.3g} ms", 1e3 * seconds) : "no step";
}

std::string ratio_text(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-";
}

void print_stability(const scene::SceneSpec& scene) {
  const study::SceneStability found = study::find_scene_stability(scene);
  const std::string unit = core::unit_system(scene.units).unit("s");
  fmt::print("scene       {}: {} elements, {} free nodes\n", scene.name, found.elements,
             found.nodes);
  fmt::print("explicit    stable below {:.4g} {unit}; elements alone would say {:.4g} {unit}\n",
             found.explicit_limit, found.element_limit, fmt::arg("unit", unit));
  fmt::print("test        {:.2g} us per element\n", found.microseconds_per_element);
  fmt::print("steps       {} by symplectic-euler, {} by si\n\n", time_text(found.explicit_seconds),
             time_text(found.implicit_seconds));
  fmt::print("{:>12} {:>16} {:>16} {:>18} {:>26}\n", fmt::format("step [{}]", unit), "bad elements",
             "implicit nodes", "elements at these", "imex expected as fast as");
  for (const study::StabilityRow& row : found.rows)
    fmt::print(
        "{:>12.4g} {:>9} {:>4.0f} % {:>9} {:>4.0f} % {:>11} {:>4.0f} % {:>6} explicit "
        "{:>5} si\n",
        row.dt, row.elements, 100.0 * row.elements / found.elements, row.nodes,
        100.0 * row.nodes / found.nodes, row.touched_elements,
        100.0 * row.touched_elements / found.elements, ratio_text(row.over_explicit),
        ratio_text(row.over_implicit));
}

}  // namespace

std::vector<std::string> list_kinds() {
  std::vector<std::string> kinds;
  kinds.reserve(listers().size());
  for (const auto& [kind, lister] : listers()) kinds.push_back(kind);
  return kinds;
}

std::vector<std::string> listed_names(const std::string& kind) {
  const std::vector<Item> items = listers().at(kind)();
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

void add_list(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string what;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("list", "what there is to choose from");
  command->footer("Example: sinew list integrators");
  command->add_option("what", arguments->what,
                      "integrators, materials, laws, scenes, generators, solvers or writers");
  command->add_flag("--json", arguments->json, "as JSON");
  command->callback([arguments, &exit_code] {
    list(arguments->what, arguments->json);
    exit_code = exit_done;
  });
}

void add_info(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string name;
    std::vector<std::string> settings;
    bool stability = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("info", "what a method, material, scene or generator is");
  command->footer("Example: sinew info be\n         sinew info armadillo --stability");
  command->add_option("name", arguments->name, "a name from 'sinew list'")->required();
  command->add_flag("--stability", arguments->stability,
                    "of a scene (a name or a JSON file) or a mesh file: how large explicit steps "
                    "may be, and what "
                    "must be implicit at larger ones");
  add_set_option(*command, arguments->settings);
  command->callback([arguments, &exit_code] {
    if (arguments->stability)
      print_stability(scene_or_mesh(arguments->name, setting_overrides(arguments->settings)));
    else
      info(arguments->name);
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
