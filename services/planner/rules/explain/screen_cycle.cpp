#include "services/planner/rules/explain/screen_cycle.h"

#include "services/planner/rules/run/screen_watch.h"

namespace da::planner::rules {
namespace {

constexpr int kMostScreenRounds = 10'000;  // Rounds of questions. Each answers at least one condition.

// Moves the questions for models to `models`. Returns the others.
std::vector<Question> take_models_out(const std::vector<Question>& questions, std::vector<Question>& models) {
  std::vector<Question> others;
  for (const Question& question : questions) {
    (question.kind == QuestionKind::kModel ? models : others).push_back(question);
  }
  return others;
}

}  // namespace

Result<Cycle> evaluate_screen(const LoadedProfile& loaded, TaskView& view) {
  const Engine engine(loaded.profile);
  const RunState state(loaded.profile.rules.size());
  ProfileModels no_models;
  const model::Settings settings;
  ModelCalls no_calls(no_models, settings, MonoTime::max(), view.clock(), view.cancel(), {});
  ScreenWatch watch(loaded, engine, view, no_calls);
  RETURN_IF_ERROR(watch.look());
  std::vector<Question> models;
  int looks = 1;
  for (int round = 0; round < kMostScreenRounds; ++round) {
    Analyses analyses = watch.analyses();
    for (const Question& question : models) {
      analyses.regions[*question.region].models[{question.name, question.role}] =
          Unavailable{"`profile explain` asks no model"};
    }
    Cycle cycle = engine.evaluate(analyses, loaded.variables, state, view.clock().now(), Reports::kAll);
    if (cycle.questions.empty()) return cycle;
    const auto others = take_models_out(cycle.questions, models);
    ASSIGN_OR_RETURN(const auto screen, watch.answer(others, ScreenWatch::changes_after(looks)));
    if (screen == ScreenWatch::Screen::kSame) continue;
    ++looks;
    RETURN_IF_ERROR(watch.look());
  }
  return Error{Code::kResourceExhausted, "the rules have too many questions about one screen"};
}

}  // namespace da::planner::rules
