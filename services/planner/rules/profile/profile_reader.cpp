#include "services/planner/rules/profile/profile_reader.h"

#include <algorithm>

#include "lib/base/pattern.h"
#include "lib/contract/json/strict_json.h"
#include "services/planner/rules/profile/rule_reader.h"

namespace da::planner::rules {
namespace {

constexpr contract::JsonLimits kFileLimits{.bytes = 16 << 20, .depth = 64, .keys = 1'000};
constexpr std::size_t kMaxNamed = 10'000;
constexpr std::size_t kMaxRules = 50'000;
constexpr Bounds kPlace{-100'000, 100'000, true};

class ProfileReader {
 public:
  ProfileReader(const Document& document, const ReadOptions& options)
      : options_(options),
        context_{profile_, problems_, options.unknown_keys, options.variables, {}, {}, {}, options.check_file},
        top_(document, "", context_) {}

  void read() {
    profile_.description = top_.text("profile_description", Need::kOptional);
    if (const Document* settings = top_.take("settings")) {
      ObjectReader reader(*settings, "/settings", context_);
      reader.read(profile_.settings);
      reader.finish();
    }
    each("regions", kMaxNamed, [&](ObjectReader& reader) { read_region(reader); });
    each("templates", kMaxNamed, [&](ObjectReader& reader) { read_template(reader); });
    each("rules", kMaxRules, [&](ObjectReader& reader) {
      context_.variables = options_.variables;
      profile_.rules.push_back(read_rule(reader, context_, profile_.rules.size()));
    });
    warn_of_equal_rules();
    top_.finish();
  }

  Profile& profile() { return profile_; }
  Problems& problems() { return problems_; }

 private:
  template <class Read>
  void each(const char* name, std::size_t most, Read read) {
    const Document* list = top_.take(name);
    if (list == nullptr) return;
    if (!list->is_array()) return top_.error(name, std::string(name) + " must be a list");
    if (list->size() > most) {
      return top_.error(name, "there are " + std::to_string(list->size()) + " " + name + "; at most " +
                                  std::to_string(most) + " are read");
    }
    for (std::size_t i = 0; i < list->size() && !problems_.full(); ++i) {
      ObjectReader reader((*list)[i], contract::json_pointer(top_.member(name), std::to_string(i)), context_);
      read(reader);
      reader.finish();
    }
  }

  int pixels(ObjectReader& reader, std::string_view name, const Bounds& bounds) {
    Number number;
    reader(number, Field{name, "pixels", Need::kRequired, bounds});
    if (!number.is_known()) reader.error(name, std::string(name) + " of a region must be a number");
    return static_cast<int>(number.value);
  }

  void read_region(ObjectReader& reader) {
    Region region;
    region.name = reader.text("name", Need::kRequired);
    region.window = reader.text("window", Need::kOptional);
    // Relative to a window, 0 means up to the window's edge.
    const double least = region.window.empty() ? 1 : 0;
    region.area.x = pixels(reader, "x", kPlace);
    region.area.y = pixels(reader, "y", kPlace);
    region.area.width = pixels(reader, "width", {least, kPlace.max, true});
    region.area.height = pixels(reader, "height", {least, kPlace.max, true});
    region.comment = reader.text("comment", Need::kOptional);
    if (const auto pattern = Pattern::compile(region.window); !region.window.empty() && !pattern) {
      reader.error("window", "window is not a pattern: " + escape_foreign(pattern.error().message, 200));
    }
    if (!region.name.empty() && !context_.regions.emplace(region.name, profile_.regions.size()).second) {
      reader.error("name", "a second region has the name " + quote_foreign(region.name, 60));
    }
    profile_.regions.push_back(std::move(region));
  }

  void read_template(ObjectReader& reader) {
    Template image;
    image.name = reader.text("name", Need::kRequired);
    image.filename = reader.text("filename", Need::kRequired);
    image.comment = reader.text("comment", Need::kOptional);
    if (!image.filename.empty()) reader.check_template_file("filename", image.filename);
    if (!image.name.empty() && !context_.templates.emplace(image.name, profile_.templates.size()).second) {
      reader.error("name", "a second template has the name " + quote_foreign(image.name, 60));
    }
    context_.template_files.emplace(image.filename, profile_.templates.size());
    profile_.templates.push_back(std::move(image));
  }

  void warn_of_equal_rules() {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < profile_.rules.size(); ++i) {
      if (names.insert(profile_.rules[i].name).second) continue;
      problems_.warning(contract::json_pointer(contract::json_pointer("/rules", std::to_string(i)), "name"),
                        "a second rule has the name " + quote_foreign(profile_.rules[i].name, 60));
    }
  }

  const ReadOptions& options_;
  Profile profile_;
  Problems problems_;
  ReadContext context_;
  ObjectReader top_;
};

}  // namespace

ReadProfile read_profile(std::string_view text, const ReadOptions& options) {
  auto document = contract::read_json_document(text, kFileLimits);
  if (!document) {
    return {std::nullopt, {{Severity::kError, document.error().place, document.error().message}}, nullptr};
  }
  ProfileReader reader(*document, options);
  reader.read();
  ReadProfile read{std::nullopt, reader.problems().places_in(text), std::move(*document)};
  if (!reader.problems().has_errors()) read.profile = std::move(reader.profile());
  return read;
}

std::string problem_text(const std::string& file, const Problem& problem) {
  return file + ":" + std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + ": " +
         (problem.severity == Severity::kError ? "error: " : "warning: ") + problem.message;
}

}  // namespace da::planner::rules
