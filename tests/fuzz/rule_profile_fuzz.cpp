// Gives a text to the reader of rule profiles. What it accepts is evaluated on screens that show nothing, everything,
// and a text of the input itself; what it refuses has short errors. A saved profile reads as the same profile.
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "services/planner/rules/edit/profile_edit.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/profile/profile_file.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;
using namespace da::planner::rules;

constexpr std::size_t kLongMessage = 4'000;
constexpr int kRounds = 20;

// Answers each question in the way that makes most conditions hold.
void answer(const Question& question, const std::string& text, Analyses& analyses) {
  if (question.kind == QuestionKind::kElement) {
    da::v1::UiNode node;
    node.set_name(text);
    node.mutable_bounds()->set_width(1);
    node.mutable_bounds()->set_height(1);
    analyses.elements[{question.name, question.role}] = std::vector<da::v1::UiNode>{node};
    return;
  }
  RegionAnalyses& region = analyses.regions[*question.region];
  switch (question.kind) {
    case QuestionKind::kArea: region.area = da::Rect{0, 0, 10, 10}; break;
    case QuestionKind::kPixel: region.pixels[{question.x, question.y}] = Bgr{1, 2, 3}; break;
    case QuestionKind::kAverage: region.average = Bgr{1, 2, 3}; break;
    case QuestionKind::kDominant: region.dominant = std::vector<ColourShare>{{{1, 2, 3}, 100}}; break;
    case QuestionKind::kTemplate:
      region.templates[question.image] = TemplateSeen{da::Rect{1, 1, 2, 2}, 1, false};
      break;
    case QuestionKind::kOcr: region.ocr = OcrSeen{text, 100, {{text, {0, 0, 1, 1}}}}; break;
    case QuestionKind::kModel: region.models[{question.name, question.role}] = text; break;
    case QuestionKind::kElement: break;
  }
}

void check_decisions(const Cycle& cycle) {
  for (const RuleReport& report : cycle.reports) {
    const std::string text = to_text(report);
    require(da::escape_foreign_lines(text, text.size()) == text, "a report is escaped");
  }
  for (const Decision& decision : cycle.decisions) {
    for (const PlannedParts& parts : decision.actions) {
      for (const PlannedPart& part : parts) {
        if (const auto* step = std::get_if<da::v1::Step>(&part)) {
          require(da::contract::validate(step->action()).has_value(), "each step is valid");
        }
        require(!describe(part).empty(), "each part has words");
      }
    }
  }
}

void evaluate(const Profile& profile, const std::string& text) {
  const Engine engine(profile);
  Analyses analyses{std::vector<RegionAnalyses>(profile.regions.size()), {}};
  const RunState state(profile.rules.size());
  for (int round = 0; round < kRounds; ++round) {
    const Cycle cycle = engine.evaluate(analyses, {}, state, {}, Reports::kAll);
    check_decisions(cycle);
    if (cycle.questions.empty()) return;
    for (const Question& question : cycle.questions) answer(question, text, analyses);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ReadProfile read = read_profile(text);
  for (const Problem& problem : read.problems) {
    require(!problem.message.empty() && problem.message.size() < kLongMessage, "a problem has a short message");
    require(da::escape_foreign(problem.message, problem.message.size()) == problem.message, "a problem is escaped");
  }
  const auto edited =
      with_entry(text, "regions", {{"name", "r"}, {"x", 0}, {"y", 0}, {"width", 1}, {"height", 1}}, SameName::kReplace);
  if (edited) require(read_profile(*edited).document.is_object(), "an edited profile can be read");
  if (!read.profile) return 0;
  require(edited.has_value() || edited.error().code != da::Code::kInternal, "a valid profile can be edited");
  evaluate(*read.profile, text);
  const ReadProfile again = read_profile(profile_text(read.document));
  require(again.profile.has_value(), "a saved profile can be read");
  require(again.profile->rules.size() == read.profile->rules.size(), "a saved profile has all rules");
  return 0;
}
