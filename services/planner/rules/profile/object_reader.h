// Reads the parameters of one JSON object of a profile: the visitor of visit_fields (rule_fields.h) that parses. One
// thread; keeps references to the document and to the context.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "services/planner/rules/profile/problems.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {

using Document = nlohmann::ordered_json;

enum class UnknownKeys { kWarn, kRefuse };

// Why a file in the folder templates/ cannot be used; nullopt if it can.
using CheckFile = std::function<std::optional<std::string>(const std::string& filename)>;

// What parameters may refer to, and where problems go.
struct ReadContext {
  Profile& profile;
  Problems& problems;
  UnknownKeys unknown_keys = UnknownKeys::kWarn;
  std::set<std::string, std::less<>> variables;                      // That a rule may use at this place.
  std::map<std::string, std::size_t, std::less<>> regions{};         // Index by name.
  std::map<std::string, std::size_t, std::less<>> templates{};       // Index by name.
  std::map<std::string, std::size_t, std::less<>> template_files{};  // Index by file; the first of several.
  CheckFile check_file{};
};

class ObjectReader {
 public:
  // A value that is no object is reported, and read like an empty one.
  ObjectReader(const Document& value, std::string pointer, ReadContext& context);

  const std::string& pointer() const { return pointer_; }
  bool is_object() const { return is_object_; }

  // Fills the parameters. Missing optional ones keep their defaults.
  template <class T>
  void read(T& target) {
    if (is_object_) visit_fields(target, *this);
  }

  // The member, which from then on is known; nullptr if it is missing or null.
  const Document* take(std::string_view name);
  // Of an object of an unknown type, whose keys are not worth a problem each.
  void take_all();
  bool has(std::string_view name) const { return is_object_ && object_.contains(name); }
  void error(std::string_view member, std::string message);

  std::string text(std::string_view name, Need need);
  bool flag(std::string_view name, bool otherwise);
  // A file in or below the folder templates/; reports every other.
  void check_template_file(std::string_view member, const std::string& name);
  std::string member(std::string_view name) const { return contract::json_pointer(pointer_, name); }

  // Reports the keys that nobody has taken.
  void finish();

  void operator()(TextTemplate& target, const Field& field);
  void operator()(TextList& target, const Field& field);
  void operator()(Number& target, const Field& field);
  void operator()(OptionalNumber& target, const Field& field);
  void operator()(bool& target, const Field& field);
  void operator()(Bgr& target, const Field& field);
  void operator()(RegionRef& target, const Field& field);
  void operator()(RegionList& target, const Field& field);
  void operator()(TemplateRef& target, const Field& field);
  void operator()(CaptureName& target, const Field& field);
  void operator()(VariableRef& target, const Field& field);
  void operator()(KeyChord& target, const Field& field);
  void operator()(ElementStates& target, const Field& field);
  void operator()(AllowedTools& target, const Field& field);

  template <class E>
  requires std::is_enum_v<E>
  void operator()(E& target, const Field& field) {
    const Document* value = required(field);
    if (value == nullptr) return;
    const std::string given = value->is_string() ? value->get<std::string>() : value->dump();
    std::vector<std::string> names;
    for (const auto& one : kSpellings<E>) {
      if (fold_case(one.name) == fold_case(trim(given))) return void(target = one.value);
      names.emplace_back(one.name);
    }
    error(field.name, "the " + std::string(field.name) + " " + quote_foreign(given, 40) + " is unknown" +
                          did_you_mean(given, names) + "; known: " + join(names, ", "));
  }

 private:
  // The member of the field under either name; reports a required one that is missing.
  const Document* required(const Field& field);
  // Texts of a list, or of one text with commas.
  std::vector<std::pair<std::string, std::string>> list(const Field& field);  // Pointer and text.
  void check_placeholders(const std::string& pointer, const TextTemplate& text, const Field& field);
  std::optional<std::size_t> region(const std::string& pointer, const std::string& name);

  const Document& object_;
  std::string pointer_;
  ReadContext& context_;
  bool is_object_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace da::planner::rules
