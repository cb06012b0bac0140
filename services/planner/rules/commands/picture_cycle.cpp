#include "services/planner/rules/commands/picture_cycle.h"

#include "services/planner/rules/engine/analysis_request.h"
#include "services/planner/rules/explain/picture_file.h"

namespace da::planner::rules {
namespace {

// Each round answers at least one question of each undecided rule, and a rule has few that depend on each other.
constexpr int kMostPictureRounds = 1'000;

// Questions that a picture cannot answer. Returns the others.
std::vector<Question> answer_without_picture(const std::vector<Question>& questions, Analyses& analyses) {
  std::vector<Question> others;
  for (const Question& question : questions) {
    if (question.kind == QuestionKind::kElement) {
      analyses.elements[{question.name, question.role}] = Unavailable{"a picture has no elements"};
    } else if (question.kind == QuestionKind::kModel) {
      analyses.regions[*question.region].models[{question.name, question.role}] =
          Unavailable{"no model is asked about a picture"};
    } else {
      others.push_back(question);
    }
  }
  return others;
}

}  // namespace

Result<Cycle> evaluate_picture(const LoadedProfile& loaded, const std::filesystem::path& image) {
  const Profile& profile = loaded.profile;
  const Engine engine(profile);
  const RunState state(profile.rules.size());
  Analyses analyses{std::vector<RegionAnalyses>(profile.regions.size()), {}};
  auto requests = analyze_requests(profile, engine.needs(), {}, loaded.images);
  for (int round = 0; round < kMostPictureRounds; ++round) {
    if (!requests.empty()) {
      ASSIGN_OR_RETURN(const auto replies, analyze_file(image, requests));
      for (std::size_t i = 0; i < replies.size(); ++i) {
        RETURN_IF_ERROR(add_reply(requests[i], replies[i], loaded.images, analyses));
      }
    }
    Cycle cycle = engine.evaluate(analyses, loaded.variables, state, MonoTime(), Reports::kAll);
    if (cycle.questions.empty()) return cycle;
    const auto questions = answer_without_picture(cycle.questions, analyses);
    requests = analyze_requests(profile, {}, questions, loaded.images);
  }
  return Error{Code::kInternal,
               "the rules still had questions after " + std::to_string(kMostPictureRounds) + " rounds"};
}

}  // namespace da::planner::rules
