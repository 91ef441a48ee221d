// SPDX-License-Identifier: Apache-2.0
// One description of the scene format for everything that must agree with it: the strict parser,
// the writer of resolved scenes and the JSON schema are three visitors of describe().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/scene/format/ranges.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

class Catalog;

class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void number(std::string_view key, double& value, std::string_view doc, Range = {}) = 0;
  virtual void number(std::string_view key, std::optional<double>& value, std::string_view doc,
                      Range = {}) = 0;
  virtual void integer(std::string_view key, int& value, std::string_view doc, int minimum) = 0;
  virtual void integer(std::string_view key, std::optional<int>& value, std::string_view doc,
                       int minimum) = 0;
  virtual void boolean(std::string_view key, bool& value, std::string_view doc) = 0;
  /// Empty `choices`: any text.
  virtual void text(std::string_view key, std::string& value, std::string_view doc,
                    const std::vector<std::string>& choices = {}) = 0;
  virtual void text(std::string_view key, std::optional<std::string>& value, std::string_view doc,
                    const std::vector<std::string>& choices = {}) = 0;
  /// A name, or a number that is taken as one.
  virtual void label(std::string_view key, std::optional<std::string>& value,
                     std::string_view doc) = 0;
  virtual void texts(std::string_view key, std::vector<std::string>& value, std::string_view doc,
                     const std::vector<std::string>& choices) = 0;
  virtual void vector(std::string_view key, Vec3& value, std::string_view doc) = 0;
  /// Not zero: the name of an axis with or without a minus sign, or a vector.
  virtual void direction(std::string_view key, std::optional<Vec3>& value,
                         std::string_view doc) = 0;
  virtual void box(std::string_view key, std::optional<std::array<Vec3, 2>>& value,
                   std::string_view doc) = 0;
  virtual void integers(std::string_view key, std::optional<std::vector<int>>& value,
                        std::string_view doc) = 0;
  /// A number, or a formula whose values must lie in the range wherever it is evaluated.
  virtual void formula(std::string_view key, Formula& value, std::string_view doc, Range = {}) = 0;
  virtual void formula(std::string_view key, std::optional<Formula>& value, std::string_view doc,
                       Range = {}) = 0;
  virtual void formulas(std::string_view key, Formulas& value, std::string_view doc) = 0;
  /// Numbers of a fixed length (a plain number for length 1), e.g. a generator's parameter.
  virtual void numbers(std::string_view key, std::vector<double>& value, bool integral,
                       std::string_view doc) = 0;
  /// Lists of any length; an empty one is the same as none.
  virtual void number_list(std::string_view key, std::vector<double>& value, std::string_view doc,
                           Range = {}) = 0;
  virtual void vector_list(std::string_view key, std::vector<Vec3>& value,
                           std::string_view doc) = 0;
  /// Pairs of whole numbers from 0.
  virtual void pair_list(std::string_view key, std::vector<std::array<int, 2>>& value,
                         std::string_view doc) = 0;
  virtual void option(const integrators::OptionInfo& info, integrators::OptionValue& value) = 0;

  using Describe = std::function<void(Visitor&)>;
  virtual void object(std::string_view key, std::string_view doc, const Describe& describe) = 0;
  /// `present` tells, and is told, whether the object is there at all.
  virtual void optional_object(std::string_view key, bool& present, std::string_view doc,
                               const Describe& describe) = 0;
  /// A text that stands for the whole, or an object.
  virtual void text_or_object(std::string_view key, std::string& text, std::string_view doc,
                              const Describe& describe) = 0;
  virtual void optional_text_or_object(std::string_view key, bool& present, std::string& text,
                                       std::string_view doc, const Describe& describe) = 0;

  template <class T>
  void optional_object(std::string_view key, std::optional<T>& value, std::string_view doc,
                       const std::function<void(Visitor&, T&)>& describe) {
    bool present = value.has_value();
    T given = value.value_or(T{});
    optional_object(key, present, doc, [&](Visitor& visitor) { describe(visitor, given); });
    if (present) value = std::move(given);
  }

  template <class T>
  void list(std::string_view key, std::vector<T>& items, std::string_view doc,
            const std::function<void(Visitor&, T&)>& describe) {
    list_of(
        key, doc, items.size(), [&](std::size_t count) { items.resize(count); },
        [&](Visitor& visitor, std::size_t k) {
          if (k < items.size()) {
            describe(visitor, items[k]);
          } else {
            T sample;  // a schema is asked for without any items
            describe(visitor, sample);
          }
        });
  }

  /// Says that something is wrong with the value at `key`, beyond what the calls above check.
  virtual void reject(std::string_view /*key*/, std::string /*what*/, std::string /*hint*/) {}
  /// A schema shows the keys of every variant, a parser only those of the chosen one.
  virtual bool wants_all_variants() const { return false; }

 private:
  virtual void list_of(std::string_view key, std::string_view doc, std::size_t size,
                       const std::function<void(std::size_t)>& resize,
                       const std::function<void(Visitor&, std::size_t)>& describe) = 0;
};

/// The scene format, with what this catalog has.
void describe(Visitor& visitor, SceneSpec& scene, const Catalog& catalog);

}  // namespace sinew::scene
