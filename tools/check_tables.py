#!/usr/bin/env python3
"""Compares what the documentation says about defaults, ranges, orders and names with what the program
says: check_tables.py PROGRAM. Fails when they differ, in either direction."""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
NAME = re.compile(r"`([a-z][\w-]*)`")

# solvers that a build may lack
OPTIONAL_SOLVERS = {"auto", "supernodal", "multigrid"}

# ---- reading pages ----------------------------------------------------------------------------


def page(name):
    return (DOCS / name).read_text()


def section(text, heading):
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def tables(text):
    """Every table as (header, rows), cells without their padding."""
    found = []
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, re.M):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.strip().splitlines()]
        found.append((rows[0], rows[2:]))
    return found


def table(text, *header):
    """The rows of all tables with this header."""
    return [row for head, rows in tables(text) if tuple(head) == header for row in rows]


def value(text):
    """`"lumped"`, `[0,0,1]`, 1e-6, 1/3: as the program would write it."""
    text = text.strip().replace("`", "").rstrip(".,;")
    if re.fullmatch(r"\d+/\d+", text):
        above, below = text.split("/")
        return int(above) / int(below)
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(b, list) and len(b) == 1:
        return same(a, b[0])
    try:
        return abs(float(a) - float(b)) <= 1e-12 * max(abs(float(a)), abs(float(b)))
    except (TypeError, ValueError):
        return str(a) == str(b)


def stated(text, key):
    """The value that follows `key` in a sentence: `within` 1e-6, `dt` (0.1), `shape` `"rest"`."""
    number, items, word = r"-?\d[\d.]*(?:e-?\d+)?", r"\[[^\]]*\]", r'"[^"]*"'
    found = re.search(rf"`{key}`(?: \([^()]*default | \(| )`?({items}|{word}|{number})", text)
    return value(found.group(1)) if found else None


def range_text(bounds):
    """How the pages say which numbers are allowed."""
    low, above = bounds.get("minimum"), bounds.get("exclusiveMinimum")
    high, below = bounds.get("maximum"), bounds.get("exclusiveMaximum")
    if above is not None and below is not None:
        return f"between {above:g} and {below:g}, both excluded"
    if low is not None and high is not None:
        return f"{low:g} to {'1/3' if same(high, 1 / 3) else f'{high:g}'}"
    if above is not None:
        return f"above {above:g}"
    return f"at least {low:g}" if low is not None else None


# ---- the program ------------------------------------------------------------------------------


class Program:
    def __init__(self, path):
        self.path = path
        self.integrators = {entry["name"]: entry for entry in self.listed("integrators")}
        self.schema = json.loads(self.run("validate", "--schema"))

    def run(self, *arguments):
        return subprocess.check_output([self.path, *arguments], text=True)

    def listed(self, what):
        return json.loads(self.run("list", what, "--json"))

    def names(self, what):
        return {entry["name"] for entry in self.listed(what)}

    def resolved(self, scene):
        """A scene with all defaults."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "scene.json")
            path.write_text(json.dumps(scene))
            return json.loads(self.run("validate", str(path), "--print"))

    def damping(self, names):
        """(method, h omega, d/omega), of all points."""
        with tempfile.TemporaryDirectory() as folder:
            self.run("damping", "--integrators", ",".join(dict.fromkeys(names)), "-o", folder)
            with open(pathlib.Path(folder, "damping.csv"), encoding="utf-8") as file:
                return [(row["integrator"], float(row["h_omega"]), float(row["d_over_omega"])) for row in csv.DictReader(file)]

    def with_option(self, name):
        return {method for method, entry in self.integrators.items() if name in entry["options"]}

    def with_trait(self, name):
        return {method for method, entry in self.integrators.items() if entry[name]}


def schema_keys(node, path=()):
    """(path, node) of every key of the schema; entries of lists are `[]`."""
    for way in node.get("anyOf", []):
        yield from schema_keys(way, path)
    for key, child in node.get("properties", {}).items():
        yield path + (key,), child
        yield from schema_keys(child, path + (key,))
    items = node.get("items")
    if isinstance(items, dict):
        yield from schema_keys(items, path[:-1] + (path[-1] + "[]",) if path else path)


def limits(node):
    """Bounds of a node, or of the number that may stand there instead of a formula."""
    names = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    for way in [node, *node.get("anyOf", [])]:
        found = {name: way[name] for name in names if name in way}
        if found:
            return found
    return {}


# ---- the checks -------------------------------------------------------------------------------


class Checks:
    def __init__(self, program):
        self.program = program
        self.problems = []
        self.compared = 0

    def expect(self, holds, where, what):
        self.compared += 1
        if not holds:
            self.problems.append(f"docs/{where}: {what}")

    def expect_value(self, documented, actual, where, what):
        self.expect(same(documented, actual), where, f"{what} is {json.dumps(actual)}, not {documented}")

    def expect_names(self, documented, actual, where, what):
        for name in sorted(actual - documented):
            self.expect(False, where, f"{what}: {name} is missing")
        for name in sorted(documented - actual):
            self.expect(False, where, f"{what}: {name} does not belong there")
        self.compared += len(actual)

    # -- methods --

    def theory_pages(self):
        for name, entry in self.program.integrators.items():
            where = f"theory/{name}.md"
            text = page(where)
            order = re.search(r"\*\*Order\*\* (\d+)", text)
            self.expect_value(order and int(order.group(1)), entry["order"], where, "order")
            documented = self.options_of_page(text)
            self.expect_names(set(documented), set(entry["options"]), where, "options")
            for option, (default, others) in documented.items():
                if option in entry["options"]:
                    self.option(entry["options"][option], default, others, where, option)

    def options_of_page(self, text):
        """option -> (default, what else is allowed), from the paragraph or table **Options**."""
        begin = text.find("**Options**")
        paragraph = text[begin:].split("\n\n")[0] if begin >= 0 else ""
        rows = table(text[begin:], "option", "default", "meaning") if begin >= 0 else []
        if rows and not re.search(r"`\w+` \(", paragraph):
            return {NAME.search(key).group(1): (default, "") for key, default, _ in rows}
        pairs = re.findall(r"`(\w+)` \(([^)]*)\)", paragraph.replace("\n", " "))
        return {name: tuple(part.strip() for part in (inside + ";").split(";")[:2]) for name, inside in pairs}

    def option(self, entry, default, others, where, name):
        """Default and, where the page says something, the rest of what is allowed."""
        self.expect_value(value(default), entry["default"], where, f"default of {name}")
        if not others:
            return
        words = {word.strip('"') for word in re.findall(r"`([^`]+)`", others)}
        choices = set(entry.get("choices", [])) - {entry["default"]}
        self.expect_names(words, choices, where, f"choices of {name}")
        if "minimum" in entry:
            self.expect(range_text(entry) in others, where, f"range of {name} is '{range_text(entry)}'")

    def shared_options(self):
        """Tables of options that several methods have."""
        groups = {
            "theory/hybrid-methods.md": "siere",
            "theory/implicit-stages.md": "be",
            "theory/matrix-functions.md": "ere",
        }
        for where, method in groups.items():
            options = self.program.integrators[method]["options"]
            for key, default, _ in table(section(page(where), "Options"), "option", "default", "meaning"):
                name = NAME.search(key).group(1)
                self.expect(name in options, where, f"there is no option {name}")
                self.expect_value(value(default.split(";")[0]), options[name]["default"], where, f"default of {name}")

    def index(self):
        where = "theory/index.md"
        rows = table(page(where), "page", "order", "kind", "cost per step", "stable for")
        names = [re.match(r"\[([\w-]+)\]\(\1\.md\)", row[0]).group(1) for row in rows]
        self.expect(names == list(self.program.integrators), where, "methods or their order differ from 'sinew list'")
        for name, row in zip(names, rows):
            entry = self.program.integrators.get(name)
            if entry is None:
                continue
            kind = row[2]
            self.expect_value(int(row[1].split()[0]), entry["order"], where, f"order of {name}")
            is_explicit = not entry["implicit"] and not entry["exponential"]
            exponential = any(word in kind for word in ("exponential", "trigonometric", "`ere`"))
            for holds, word, is_said in [
                (entry["L-stable"], "L-stable", "L-stable" in kind),
                (entry["symplectic"], "symplectic", "symplectic" in kind),
                (entry["estimates its error"], "estimates its error", "estimates its error" in kind),
                (entry["keeps a history"], "multistep or keeps ...", "multistep" in kind or "keeps" in kind),
                (is_explicit, "explicit", "explicit" in kind),
                (entry["exponential"], "exponential", exponential),
            ]:
                self.expect(holds == is_said, where, f"{name}: '{word}' should {'' if holds else 'not '}be there")

    def damping(self):
        """d/omega against what the methods do."""
        pages = {"theory/index.md": "How methods are compared", "theory/damping.md": None}
        for where, heading in pages.items():
            text = section(page(where), heading) if heading else page(where)
            header, rows = next(found for found in tables(text) if found[0][0] == "theta")
            columns = [re.split(r",\s*", cell) for cell in header[1:]]
            measured = self.program.damping([name for names in columns for name in names])
            for row in rows:
                if not re.fullmatch(r"[\d.]+", row[0]):
                    continue
                for names, cell in zip(columns, row[1:]):
                    for name in names:
                        self.damping_value(where, name, float(row[0]), cell, measured)

    def damping_value(self, where, name, theta, cell, measured):
        # forty points per decade: powers of ten are among them, other numbers are not
        values = [d for method, h, d in measured if method == name and same(round(h, 9), theta)]
        if not values:
            return
        if cell == "unstable":
            self.expect(values[0] < 0, where, f"{name} is stable at {theta:g}")
            return
        digits = re.fullmatch(r"(\d+)(?:\.(\d*))?(?:e(-?\d+))?", cell)
        unit = 10.0 ** (int(digits.group(3) or 0) - len(digits.group(2) or ""))
        self.expect(
            abs(float(cell) - values[0]) <= 0.5001 * unit,
            where,
            f"d/omega of {name} at {theta:g} is {values[0]:.3g}, not {cell}",
        )

    # -- sets of methods --

    def groups(self):
        program, where = self.program, "formats/scene.md"
        text = page(where)
        newton, hybrid = program.with_option("max_newton"), program.with_option("modes")
        self.expect_names(self.named_in(text, "Methods with Newton are"), newton, where, "methods with Newton")
        self.expect_names(self.named_in(text, "Hybrid methods are"), hybrid, where, "hybrid methods")
        refused = self.named_in(text, "`time.tolerance` is refused for") - {"time"}
        self.expect_names(refused, program.with_trait("keeps a history"), where, "time.tolerance refused")
        guarded = {name for name, entry in program.integrators.items() if entry["options"]["guard"]["default"] == "ladder"}
        self.expect_names(program.with_trait("guarded in scenes"), guarded, where, "guarded")
        watched = re.search(r"Scenes watch (.*?);", page("theory/guard.md"), re.S).group(1)
        self.expect_names(self.methods(watched), guarded, "theory/guard.md", "methods that are watched")

    def named_in(self, text, beginning):
        sentence = re.search(rf"{re.escape(beginning)}(.*?)(?:\.\s|, which)", text, re.S)
        return set(NAME.findall(sentence.group(1))) if sentence else set()

    def methods(self, text, seen=frozenset()):
        """The methods that a cell or sentence names, one by one or as a group."""
        found = set(NAME.findall(text)) & set(self.program.integrators)
        if "methods with Newton" in text:
            found |= self.program.with_option("max_newton")
        if "hybrid methods" in text:
            found |= self.program.with_option("modes")
        if "all methods" in text:
            found |= set(self.program.integrators)
        if "all other methods" in text:
            found |= set(self.program.integrators) - seen
        return found

    def scene_options(self):
        where = "formats/scene.md"
        left = {(method, option) for method, entry in self.program.integrators.items() for option in entry["options"]}
        seen = {}
        for key, default, others, of, _ in table(page(where), "option", "default", "others", "of", "meaning"):
            option = NAME.search(key).group(1)
            methods = self.methods(of, seen.get(option, frozenset()))
            self.expect(methods, where, f"{option}: no method named in '{of}'")
            seen.setdefault(option, set()).update(methods)
            for method in sorted(methods):
                self.expect((method, option) in left, where, f"{method} has no option {option}, or it is there twice")
                left.discard((method, option))
                entry = self.program.integrators[method]["options"].get(option)
                if entry:
                    self.option(entry, default, others, where, f"{option} of {method}")
        for method, option in sorted(left):
            self.expect(False, where, f"option {option} of {method} is missing")

    # -- keys of scenes --

    def scene_keys(self):
        where, text = "formats/scene.md", page("formats/scene.md")
        body = {"name": "body", "damping": {"modal": {}}}
        springs = {"name": "springs", "type": "springs", "mesh": {"generator": "bar"}}
        resolved = self.program.resolved({"sinew": 1, "bodies": [body, springs]})
        nodes = {".".join(path): node for path, node in schema_keys(self.program.schema)}
        key_table = ("key", "default", "meaning")
        for heading, prefix, defaults in [
            ("Top level", "", resolved),
            ("Body", "bodies[].", resolved["bodies"][0]),
            ("Springs", "bodies[].", resolved["bodies"][1]),
            ("Integrator, time, output", "", resolved),
        ]:
            rows = table(section(text, heading), *key_table)
            self.expect(rows, where, f"no table of keys under '{heading}'")
            for key, default, meaning in rows:
                path = key.strip("`")
                node = nodes.get(prefix + path)
                self.expect(node is not None, where, f"there is no key {prefix + path}")
                if node is not None:
                    self.scene_key(prefix + path, node, at(defaults, path), default, meaning, heading)
        for path in nodes:
            last = path.split(".")[-1].rstrip("[]")
            is_known = re.search(rf"[`\".{{ ]{last}(\[\])?[`\",}}]", text)
            self.expect(is_known, where, f"key {path} is not described")

    def scene_key(self, path, node, actual, default, meaning, heading):
        where = "formats/scene.md"
        plain = value(default.split(",")[0]) if not default.startswith("`[") else value(default)
        if actual is None and default == "`[]`":
            pass  # a list that is printed only where there is one
        elif default in ("required", "", "none", "empty") or default.startswith(("first of", "`dt`/", "generator")):
            self.expect(default != "required" or path in self.program.schema["required"], where, f"{path} is not required")
        elif isinstance(actual, dict):
            for key, held in actual.items():
                said = stated(default, key)
                if said is None and "name" in actual:
                    said = value(default)  # `integrator`: its name
                    held = actual["name"]
                self.expect_value(said, held, where, f"default of {path}.{key}")
                if "name" in actual:
                    break
        else:
            self.expect_value(plain, actual, where, f"default of {path}")
        if path.endswith("damping.modal"):
            for key in ("ratio", "frequencies"):
                self.expect_value(stated(meaning, key), actual[key], where, f"default of {path}.{key}")
        springs_mass = heading == "Springs" and path == "bodies[].mass"
        bounds = {"exclusiveMinimum": 0} if springs_mass else {} if path == "bodies[].mass" else limits(node)
        if bounds and path != "sinew":
            self.expect(range_text(bounds) in meaning, where, f"range of {path} is '{range_text(bounds)}'")
        if path not in ("integrator.name", "bodies[].material.model") and heading != "Springs":
            for choice in node.get("enum", []):
                self.expect(choice in default + meaning, where, f"{path}: choice {choice} is missing")

    def other_defaults(self):
        """Defaults inside sentences: selections, constraints, loads."""
        where, text = "formats/scene.md", page("formats/scene.md")
        nodes = {".".join(path): node for path, node in schema_keys(self.program.schema)}
        for heading, row, prefix, keys in [
            ("Selection (`select`)", "`plane`", "fixed[].select.plane", ("point", "normal", "within")),
            ("Selection (`select`)", "`sphere`", "fixed[].select.sphere", ("center", "radius")),
            ("Constraints", "`motion[]`", "motion[]", ("position",)),
            ("Constraints", "`settle`", "settle", ("dt", "end")),
            ("Loads", '`"gravity"`', "loads[]", ("value",)),
            ("Loads", '`"pressure"`', "loads[]", ("pressure",)),
            ("Loads", '`"wind"`', "loads[]", ("velocity", "density", "drag")),
        ]:
            cells = [" ".join(cells[1:]) for _, rows in tables(section(text, heading)) for cells in rows if cells[0].startswith(row)]
            self.expect(len(cells) == 1, where, f"one row {row} expected under '{heading}'")
            for key in keys:
                actual = nodes[f"{prefix}.{key}"].get("default")
                self.expect_value(stated(cells[0], key) if cells else None, actual, where, f"default of {prefix}.{key}")
        repair = json.dumps(nodes["bodies[].mesh.repair"]["default"])
        self.expect(f'"repair": {repair}' in text, where, f"default of mesh.repair is {repair}")
        types = {cells[0].split()[0].strip('`"') for cells in table(section(text, "Loads"), "`type`", "keys and defaults")}
        self.expect_names(types, set(nodes["loads[].type"]["enum"]), where, "types of loads")

    # -- lists --

    def generators(self):
        where = "formats/scene.md"
        rows = dict(table(page(where), "generator", "parameters and defaults"))
        rows = {key.strip("`"): text for key, text in rows.items()}
        entries = {entry["name"]: entry for entry in self.program.listed("generators")}
        self.expect_names(set(rows), set(entries), where, "generators")
        for name in set(rows) & set(entries):
            for parameter, entry in entries[name]["parameters"].items():
                self.expect_value(stated(rows[name], parameter), entry["default"], where, f"{parameter} of {name}")

    def lists(self):
        headings = re.findall(r"^## ([a-z][\w, -]*)$", page("theory/materials.md"), re.M)
        documented = {name.strip() for heading in headings for name in heading.split(",")}
        self.expect_names(documented, self.program.names("materials"), "theory/materials.md", "materials")
        rows = table(page("formats/scene.md"), "key", "default", "meaning")
        meaning = {row[0].strip("`"): row[1] + row[2] for row in rows}
        solvers = set(NAME.findall(meaning["integrator.solver.name"]))
        actual = self.program.names("solvers")
        self.expect_names(solvers, actual | (OPTIONAL_SOLVERS & solvers), "formats/scene.md", "solvers")
        writers = set(re.findall(r'`(?:\[")?(\w+)(?:"\])?`', meaning["output.format"]))
        self.expect_names(writers, self.program.names("writers"), "formats/scene.md", "writers")
        made = {row[0].strip("`") for row in table_under(page("formats/run-directory.md"), "Other formats")}
        self.expect_names(made | {"vtu"}, self.program.names("writers"), "formats/run-directory.md", "writers")

    def layers(self):
        where = "architecture.md"
        allowed = {}
        for line in (ROOT / "tools/layers.txt").read_text().splitlines():
            if ":" in line and not line.startswith("#"):
                folder, may = line.split(":")
                allowed[folder.strip()] = set(may.split())
        rows = table(page(where), "folder", "content", "may include")
        self.expect_names({row[0].strip("`") for row in rows}, set(allowed), where, "folders")
        for folder, _, may in rows:
            expected = allowed.get(folder.strip("`"), set())
            stated_ = set(allowed) - {"scene"} if may == "everything above" else set(may.split())
            self.expect_names(stated_, expected, where, f"{folder} may include")


def table_under(text, heading):
    return [row for _, rows in tables(section(text, heading)) for row in rows]


def at(tree, path):
    for key in path.split("."):
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def compare(program):
    checks = Checks(program)
    for check in (
        checks.theory_pages, checks.shared_options, checks.index, checks.damping, checks.groups, checks.scene_options,
        checks.scene_keys, checks.other_defaults, checks.generators, checks.lists, checks.layers,
    ):
        check()
    return checks


def main():
    checks = compare(Program(sys.argv[1]))
    print("\n".join(checks.problems) or f"tables ok: {checks.compared} statements compared with the program")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
