// The console's gRPC clients of the services. Any thread.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "da/v1/observer_rpc.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "da/v1/recorder_rpc.pb.h"
#include "da/v1/service_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/rpc/channel.h"

namespace da::console {

class PolicyClient {
 public:
  explicit PolicyClient(const rpc::Channel& channel);
  ~PolicyClient();
  Result<v1::OpenTaskReply> open_task(const v1::OpenTaskRequest& request) const;
  Result<void> close_task(const std::string& task_token) const;
  Result<v1::AnswerReply> approve(const v1::ApproveRequest& request) const;
  Result<void> deny(const v1::DenyRequest& request) const;
  Result<void> edit(const v1::EditRequest& request) const;
  // All pending approvals, from all pages.
  Result<v1::ListPendingReply> pending() const;
  Result<v1::WriteLockState> unlock(const v1::UnlockRequest& request) const;
  Result<v1::WriteLockState> lock(const std::string& by) const;
  Result<v1::HaltReply> halt(const std::string& reason, const std::string& by, const std::stop_token& stop = {}) const;
  Result<v1::PauseReply> pause(const std::string& reason, const std::string& by) const;
  Result<void> resume(const std::string& by) const;

 private:
  struct Stub;
  std::unique_ptr<Stub> stub_;
};

// The planner's name for a task whose steps are a script's commands.
inline constexpr const char* kCommandsPlanner = "commands";
// And for one whose steps are those of a rule profile.
inline constexpr const char* kProfilePlanner = "profile";

class PlannerClient {
 public:
  explicit PlannerClient(const rpc::Channel& channel);
  ~PlannerClient();
  Result<v1::ChoosePlannerReply> choose(const v1::ChoosePlannerRequest& request) const;
  Result<v1::StartTaskReply> start(const v1::StartTaskRequest& request) const;
  // Returns when the task has ended, or after max_wait.
  Result<v1::AwaitTaskReply> await(const std::string& task_id, Milliseconds max_wait) const;
  Result<void> cancel(const std::string& task_id, const std::string& reason) const;
  // Returns when the command is answered, or after request.max_wait_ms.
  Result<v1::RunCommandReply> run_command(const v1::RunCommandRequest& request) const;
  // The open questions of models to a person.
  Result<v1::ListQuestionsReply> questions() const;
  Result<void> answer(const std::string& question_id, const std::string& answer, const std::string& by) const;

 private:
  struct Stub;
  std::unique_ptr<Stub> stub_;
};

class ObserverClient {
 public:
  // The token of an open task (lib/contract/task_token.h).
  ObserverClient(const rpc::Channel& channel, std::string observation_token);
  ~ObserverClient();
  // Windows and pointer now, without an image.
  Result<v1::Observation> observe() const;
  // The same with the unmodified picture of the desktop, as PNG.
  Result<v1::Observation> observe_picture() const;
  // The elements that a goal can name.
  Result<v1::UiTree> nameable_elements() const;
  // Both set the request's token.
  Result<v1::AnalyzeReply> analyze(v1::AnalyzeRequest request) const;
  Result<v1::LocateReply> locate(v1::LocateRequest request) const;

 private:
  struct Stub;
  std::unique_ptr<Stub> stub_;
  const std::string observation_token_;
};

// Stop the actuator directly, without the policy.
Result<void> halt_actuator(const rpc::Channel& channel, const std::string& reason, const std::stop_token& stop = {});
Result<void> pause_actuator(const rpc::Channel& channel, const std::string& reason);

// Waits until the recording of the task is complete, or for this long.
Result<v1::FindRecordingReply> find_recording(const rpc::Channel& channel, const std::string& task_id,
                                              Milliseconds max_wait);

Result<v1::ServiceDescription> describe_service(const rpc::Channel& channel, Milliseconds timeout);

}  // namespace da::console
