// Keeps what is known of a profile's regions up to date: asks the observer, and asks again only about regions whose
// content has changed. Only the task's thread calls. The constructor's references must outlive the object.
//
//   RETURN_IF_ERROR(watch.look());                            // once a cycle
//   ASSIGN_OR_RETURN(const auto seen, watch.answer(questions));   // until the engine has no more questions
#pragma once

#include <set>
#include <string>
#include <vector>

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
  // Models are asked last, and one at a time: the screen may change until they answer. kResourceExhausted: their budget
  // is used up.
  Result<Screen> answer(const std::vector<Question>& questions, Changes changes);

  // A model was asked since look(), which may have taken seconds.
  bool has_waited() const { return has_waited_; }
  // The answers of models about this region are of an earlier content, because it keeps changing.
  bool is_aged(std::size_t region) const { return aged_.contains(region); }

  const Analyses& analyses() const { return analyses_; }

 private:
  Result<v1::AnalyzeReply> ask(const v1::AnalyzeRequest& request);
  Result<void> send_templates(const std::set<std::string>& digests);
  Result<void> add_changed(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply);
  Result<void> find_elements(const Question& question);
  Result<Screen> ask_model(const Question& question, Changes changes);

  const LoadedProfile& loaded_;
  const Engine& engine_;
  TaskView& view_;
  RegionQuestions questions_;
  Analyses analyses_;
  bool has_waited_ = false;
  std::set<std::size_t> aged_;
  std::vector<std::string> contents_;  // RegionAnalysis.content that `analyses_` is of; empty: none.
  std::set<std::string> sent_;         // Digests of templates that the observer has got.
};

}  // namespace da::planner::rules
