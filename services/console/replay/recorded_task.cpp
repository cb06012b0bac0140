#include "services/console/replay/recorded_task.h"

#include <algorithm>
#include <set>

#include "lib/base/text.h"
#include "lib/bus/topics.h"

namespace da::console {
namespace {

using recording::RecordingReader;

std::set<std::string> needed_topics() {
  return {bus::topic_name<v1::TaskOpened>(),
          bus::topic_name<v1::TaskAccepted>(),
          bus::topic_name<v1::RuleFile>(),
          bus::topic_name<v1::ObserverAnswer>(),
          bus::topic_name<v1::Plan>(),
          bus::topic_name<v1::StepJudged>(),
          bus::topic_name<v1::Verdict>(),
          bus::topic_name<v1::ApprovalRequest>(),
          bus::topic_name<v1::ApprovalDecision>(),
          bus::topic_name<v1::Outcome>(),
          bus::topic_name<v1::PolicyOutcome>(),
          bus::topic_name<v1::UserAnswer>(),
          bus::topic_name<v1::ModelCall>(),
          bus::topic_name<v1::TaskEnded>(),
          bus::topic_name<v1::TaskStateChanged>(),
          bus::topic_name<v1::ImageFact>()};
}

std::uint64_t log_time(const RecordingReader::Fact& fact) {
  return static_cast<std::uint64_t>(fact.received.time_since_epoch().count());
}

}  // namespace

Result<RecordedTask> RecordedTask::load(std::shared_ptr<const RecordingReader> recording) {
  RecordedTask task(recording);
  const std::string id = RecordingReader::value(recording->about(), "task");
  if (id.empty()) return Error{Code::kInvalidArgument, recording->path().string() + " is the recording of no task"};
  RETURN_IF_ERROR(recording->facts({.topics = needed_topics()}, [&](const RecordingReader::Fact& fact) {
    if (fact.header.task_id() == id) task.add(fact);
    return ok();
  }));
  if (!task.opened_.has_request()) {
    return Error{Code::kDataLoss, recording->path().string() + " lacks the request that opened the task"};
  }
  return task;
}

void RecordedTask::add(const RecordingReader::Fact& fact) {
  if (const auto* opened = fact.as<v1::TaskOpened>()) opened_ = *opened;
  if (const auto* accepted = fact.as<v1::TaskAccepted>()) accepted_ = accepted->request();
  if (const auto* answer = fact.as<v1::ObserverAnswer>()) answers_.push_back(*answer);
  trace_.add(fact);
  if (const auto* rules = fact.as<v1::RuleFile>(); rules != nullptr && rules_toml_.empty()) rules_toml_ = rules->toml();
  if (const auto* asked = fact.as<v1::ApprovalRequest>()) questions_.push_back({*asked, std::nullopt, Milliseconds(0)});
  if (const auto* decided = fact.as<v1::ApprovalDecision>()) add(*decided);
  if (const auto* answer = fact.as<v1::UserAnswer>()) user_answers_.push_back(*answer);
  if (const auto* call = fact.as<v1::ModelCall>()) model_calls_.push_back(*call);
  if (const auto* image = fact.as<v1::ImageFact>()) image_times_.try_emplace(image->image_hash(), log_time(fact));
}

void RecordedTask::add(const v1::ApprovalDecision& decision) {
  const auto question = std::ranges::find_if(
      questions_, [&](const RecordedQuestion& one) { return one.asked.approval_id() == decision.approval_id(); });
  if (question == questions_.end()) return;
  question->decided = decision;
  question->answered_after = std::chrono::duration_cast<Milliseconds>(
      Nanoseconds(decision.header().wall_ns() - question->asked.header().wall_ns()));
}

Result<v1::ImageFact> RecordedTask::image(const std::string& hash) const {
  const Error missing{Code::kNotFound, "the recording has no image " + escape_foreign(hash, 80)};
  const auto time = image_times_.find(hash);
  if (time == image_times_.end()) return missing;
  std::optional<v1::ImageFact> found;
  RETURN_IF_ERROR(
      recording_->facts({.from_ns = time->second, .to_ns = time->second, .topics = {bus::topic_name<v1::ImageFact>()}},
                        [&](const RecordingReader::Fact& fact) {
                          const auto* image = fact.as<v1::ImageFact>();
                          if (image->image_hash() == hash) found = *image;
                          return ok();
                        }));
  if (!found) return missing;
  return *std::move(found);
}

}  // namespace da::console
