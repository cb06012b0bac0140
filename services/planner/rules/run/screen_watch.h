// Keeps what is known of a profile's regions up to date: asks the observer, and asks again only about regions whose
// content has changed. Only the task's thread calls. The constructor's references must outlive the object.
//
//   RETURN_IF_ERROR(watch.look());                            // once a cycle
//   ASSIGN_OR_RETURN(const auto seen, watch.answer(questions));   // until the engine has no more questions
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "da/v1/history.pb.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

class ScreenWatch {
 public:
  ScreenWatch(const LoadedProfile& loaded, const Engine& engine, TaskView& view)
      : loaded_(loaded), engine_(engine), view_(view), contents_(loaded.profile.regions.size()) {
    analyses_.regions.resize(loaded.profile.regions.size());
  }

  // Looks at all regions that rules use. Errors as TaskView::analyze.
  Result<void> look();

  enum class Screen {
    kSame,     // Since look(): the questions are answered.
    kChanged,  // A region that was asked about shows something else. Look again.
  };
  enum class Changes {
    kReport,
    kAccept,  // The answers are of the newest frame, whatever look() saw.
  };
  Result<Screen> answer(const std::vector<Question>& questions, Changes changes);

  const Analyses& analyses() const { return analyses_; }
  // The observer's answers that analyses() was made of since the last call, for the recording.
  std::vector<v1::RulesEvaluated::UsedAnswer> take_used() { return std::exchange(used_, {}); }

 private:
  Result<v1::AnalyzeReply> ask(const v1::AnalyzeRequest& request);
  Result<void> send_templates(const std::set<std::string>& digests);
  Result<void> find_elements(const Question& question);
  void note(v1::RulesEvaluated::UsedAnswer::Use use);

  const LoadedProfile& loaded_;
  const Engine& engine_;
  TaskView& view_;
  Analyses analyses_;
  std::vector<std::string> contents_;  // RegionAnalysis.content that `analyses_` is of; empty: none.
  std::set<std::string> sent_;         // Digests of templates that the observer has got.
  std::vector<v1::RulesEvaluated::UsedAnswer> used_;
};

}  // namespace da::planner::rules
