#include "services/planner/rules/commands/profile_cases.h"

#include <algorithm>
#include <set>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"
#include "services/planner/rules/profile/object_reader.h"

namespace da::planner::rules {
namespace {

constexpr contract::JsonLimits kLimits{.bytes = 4 << 20, .depth = 8, .keys = 100};

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "no rule";
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(quote_foreign(name));
  return join(quoted, ", ");
}

std::vector<std::string> names_of(const Profile& profile) {
  std::vector<std::string> names;
  for (const Rule& rule : profile.rules) names.push_back(rule.name);
  return names;
}

class CaseReader {
 public:
  CaseReader(const Profile& profile, ReadContext& context) : names_(names_of(profile)), context_(context) {}

  ProfileCase read(ObjectReader& reader) {
    ProfileCase one;
    one.image = reader.text("image", Need::kRequired);
    one.name = reader.text("name", Need::kOptional);
    if (one.name.empty()) one.name = one.image;
    const Document* expect = reader.take("expect");
    if (expect == nullptr || !expect->is_array()) {
      reader.error("expect", "expect must be a list of names of rules");
      return one;
    }
    for (std::size_t i = 0; i < expect->size(); ++i) {
      const std::string name = (*expect)[i].is_string() ? (*expect)[i].get<std::string>() : (*expect)[i].dump();
      one.expect.push_back(name);
      if (std::ranges::find(names_, name) != names_.end()) continue;
      context_.problems.error(contract::json_pointer(reader.member("expect"), std::to_string(i)),
                              "the profile has no rule " + quote_foreign(name, 60));
    }
    reader.finish();
    return one;
  }

 private:
  std::vector<std::string> names_;
  ReadContext& context_;
};

}  // namespace

Result<std::vector<ProfileCase>> read_cases(std::string_view text, const Profile& profile) {
  const auto document = contract::read_json_document(text, kLimits);
  const auto at = [](contract::TextPlace place, const std::string& message) {
    return Error{Code::kInvalidArgument, contract::to_text(place) + ": " + message};
  };
  if (!document) return at(document.error().place, document.error().message);
  Profile unused;
  Problems problems;
  ReadContext context{unused, problems, UnknownKeys::kRefuse, {}};
  ObjectReader top(*document, "", context);
  std::vector<ProfileCase> cases;
  const Document* list = top.take("cases");
  top.finish();
  if (list == nullptr || !list->is_array() || list->empty()) {
    top.error("cases", "cases must be a list of cases");
  } else {
    CaseReader read(profile, context);
    for (std::size_t i = 0; i < list->size() && !problems.full(); ++i) {
      ObjectReader reader((*list)[i], contract::json_pointer("/cases", std::to_string(i)), context);
      cases.push_back(read.read(reader));
    }
  }
  if (problems.has_errors()) {
    const Problem first = problems.places_in(text).front();
    return at(first.place, first.message);
  }
  return cases;
}

std::string failure_of(const ProfileCase& expected, const Profile& profile, const Cycle& cycle) {
  std::vector<std::string> acts;
  for (const Decision& decision : cycle.decisions) acts.push_back(profile.rules[decision.rule].name);
  if (acts == expected.expect) return {};
  std::string text = "expected " + listed(expected.expect) + ", but " + listed(acts) + " acts";
  for (const RuleError& error : cycle.errors) text += "; " + error.message;
  return text;
}

}  // namespace da::planner::rules
