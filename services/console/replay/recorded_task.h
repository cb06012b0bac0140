// One task as a recording holds it: what was asked of the observer and answered, the steps with their evidence,
// verdicts and outcomes, what people decided, and the model's calls. Everything but the images is in memory. Any
// thread, const.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"
#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/recording/reading/recording_reader.h"
#include "services/console/replay/step_trace.h"

namespace da::console {

struct RecordedQuestion {
  v1::ApprovalRequest asked;
  std::optional<v1::ApprovalDecision> decided;
  Milliseconds answered_after{};  // Time between question and decision.
};

class RecordedTask {
 public:
  // kInvalidArgument: the recording is of no task. kDataLoss: it is damaged.
  static Result<RecordedTask> load(std::shared_ptr<const recording::RecordingReader> recording);

  const recording::RecordingReader& recording() const { return *recording_; }
  const v1::TaskOpened& opened() const { return opened_; }
  const v1::StartTaskRequest& accepted() const { return accepted_; }
  WallTime began() const { return WallTime(Nanoseconds(opened_.header().wall_ns())); }
  const std::vector<v1::ObserverAnswer>& answers() const { return answers_; }
  const StepTrace& trace() const { return trace_; }
  const std::vector<RecordedQuestion>& questions() const { return questions_; }
  const std::vector<v1::UserAnswer>& user_answers() const { return user_answers_; }
  const std::vector<v1::ModelCall>& model_calls() const { return model_calls_; }
  // The rules when the task began.
  const std::string& rules_toml() const { return rules_toml_; }

  // kNotFound if the recording has no such image.
  Result<v1::ImageFact> image(const std::string& hash) const;

 private:
  explicit RecordedTask(std::shared_ptr<const recording::RecordingReader> recording)
      : recording_(std::move(recording)) {}
  void add(const recording::RecordingReader::Fact& fact);
  void add(const v1::ApprovalDecision& decision);

  std::shared_ptr<const recording::RecordingReader> recording_;
  v1::TaskOpened opened_;
  v1::StartTaskRequest accepted_;
  std::vector<v1::ObserverAnswer> answers_;
  StepTrace trace_;
  std::vector<RecordedQuestion> questions_;
  std::vector<v1::UserAnswer> user_answers_;
  std::vector<v1::ModelCall> model_calls_;
  std::string rules_toml_;
  std::map<std::string, std::uint64_t> image_times_;  // Log time by hash, to find the chunk again.
};

}  // namespace da::console
