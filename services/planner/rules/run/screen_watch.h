// Keeps what is known of a profile's regions up to date: asks the observer, and asks again only about regions whose
// content has changed. Only the task's thread calls. The constructor's references must outlive the object.
//
//   RETURN_IF_ERROR(watch.look());                            // once a cycle
//   ASSIGN_OR_RETURN(const auto seen, watch.answer(questions));   // until the engine has no more questions
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "da/v1/history.pb.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/rules/run/region_questions.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

class ScreenWatch {
 public:
  ScreenWatch(const LoadedProfile& loaded, const Engine& engine, TaskView& view, ModelCalls& models)
      : loaded_(loaded),
        engine_(engine),
        view_(view),
        questions_(loaded.profile, models),
        contents_(loaded.profile.regions.size()) {
    analyses_.regions.resize(loaded.profile.regions.size());
  }

  // Forgets answers of models that are not about what the regions show now, and failures of models.
  void begin_cycle();

  // Looks at all regions that rules use. Errors as TaskView::analyze. Takes no call after an await_change().
  Result<void> look();

  enum class Screen {
    kSame,     // No change since look(): the questions are answered.
    kChanged,  // A region that was asked about shows something else. Look again.
  };
  // Waits until a region shows something else than at the last look, or its window has changed: at least for `least`,
  // at most for `most` (up to 30 s). What has changed before the call counts. Requires can_wait(). kResourceExhausted:
  // too many calls wait at the observer.
  Result<Screen> await_change(Milliseconds least, Milliseconds most);
  bool can_wait() const { return !seen_.empty(); }
  // On a desktop that does not report all drawing, changes are seen when the wait ends, so it should be short.
  bool needs_short_waits() const { return !changes_reported_; }
  // The evaluation asked for elements, which may change without the screen.
  bool knows_elements() const { return !analyses_.elements.empty(); }
  // How long the observer worked for the last await_change(), without the wait.
  Nanoseconds work() const { return work_; }

  enum class Changes {
    kReport,
    kAccept,  // The answers are of the newest frame, whatever look() saw.
  };
  // After three looks of one evaluation, the rules are evaluated although the screen keeps changing.
  static Changes changes_after(int looks) { return looks < 3 ? Changes::kReport : Changes::kAccept; }
  // Models are asked last, and one at a time: the screen may change until they answer. kResourceExhausted: their budget
  // is used up.
  Result<Screen> answer(const std::vector<Question>& questions, Changes changes);

  // A model was asked since look(), which may have taken seconds.
  bool has_waited() const { return has_waited_; }
  // Answers of models are of an earlier content of their region.
  bool has_aged() const { return std::ranges::any_of(analyses_.regions, &RegionAnalyses::models_aged); }

  const Analyses& analyses() const { return analyses_; }
  // The observer's answers that analyses() was made of since the last call, for the recording.
  std::vector<v1::RulesEvaluated::UsedAnswer> take_used() { return std::exchange(used_, {}); }

 private:
  std::vector<v1::AnalyzeRequest> requests() const;
  Result<v1::AnalyzeReply> ask(const v1::AnalyzeRequest& request);
  Result<Screen> take(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply);
  Result<void> send_templates(const std::set<std::string>& digests);
  Result<void> find_elements(const Question& question);
  Result<Screen> ask_model(const Question& question, Changes changes);
  void note(v1::RulesEvaluated::UsedAnswer::Use use);

  const LoadedProfile& loaded_;
  const Engine& engine_;
  TaskView& view_;
  RegionQuestions questions_;
  Analyses analyses_;
  bool has_waited_ = false;
  std::vector<std::string> contents_;  // RegionAnalysis.content that `analyses_` is of; empty: none.
  std::set<std::string> sent_;         // Digests of templates that the observer has got.
  std::string seen_;                   // AnalyzeReply.seen that `analyses_` is of; empty: none, or of several requests.
  bool fresh_ = false;                 // `analyses_` is of the end of the last wait.
  bool changes_reported_ = false;
  Nanoseconds work_{0};
  std::vector<v1::RulesEvaluated::UsedAnswer> used_;
};

}  // namespace da::planner::rules
