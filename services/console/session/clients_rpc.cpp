#include "services/console/session/clients_rpc.h"

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "da/v1/observer_rpc.grpc.pb.h"
#include "da/v1/planner_rpc.grpc.pb.h"
#include "da/v1/policy_rpc.grpc.pb.h"
#include "da/v1/recorder_rpc.grpc.pb.h"
#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/base/text.h"
#include "lib/rpc/call.h"

namespace da::console {
namespace {

constexpr Milliseconds kShort{2000};      // Suffices for calls that wait for no person and no desktop.
constexpr Milliseconds kOpen{8000};       // Includes the policy's patience with the recorder.
constexpr Milliseconds kLook{10'000};     // Elements of a slow application take long.
constexpr Milliseconds kAnalyze{40'000};  // Includes OCR of a whole screen on a busy machine.
constexpr Milliseconds kHalt{4000};       // Includes the policy's call of the actuator.

// Escapes bytes that protobuf rejects, so that a reason that is not UTF-8 cannot prevent a stop.
std::string reason_text(const std::string& reason) { return escape_invalid_utf8(reason); }

template <class Reply>
Result<void> without_reply(const Result<Reply>& reply) {
  if (!reply) return reply.error();
  return ok();
}

}  // namespace

struct PolicyClient::Stub {
  rpc::Client<v1::Policy> client;
};

PolicyClient::PolicyClient(const rpc::Channel& channel) : stub_(new Stub{rpc::Client<v1::Policy>(channel)}) {}
PolicyClient::~PolicyClient() = default;

Result<v1::OpenTaskReply> PolicyClient::open_task(const v1::OpenTaskRequest& request) const {
  return stub_->client.call("OpenTask", &v1::Policy::Stub::OpenTask, request, kOpen);
}

Result<void> PolicyClient::close_task(const std::string& task_token) const {
  v1::CloseTaskRequest request;
  request.set_task_token(task_token);
  return without_reply(stub_->client.call("CloseTask", &v1::Policy::Stub::CloseTask, request, kShort));
}

Result<v1::AnswerReply> PolicyClient::approve(const v1::ApproveRequest& request) const {
  return stub_->client.call("Approve", &v1::Policy::Stub::Approve, request, kShort);
}

Result<void> PolicyClient::deny(const v1::DenyRequest& request) const {
  v1::DenyRequest sent = request;
  sent.set_reason(reason_text(request.reason()));
  return without_reply(stub_->client.call("Deny", &v1::Policy::Stub::Deny, sent, kShort));
}

Result<void> PolicyClient::edit(const v1::EditRequest& request) const {
  return without_reply(stub_->client.call("Edit", &v1::Policy::Stub::Edit, request, kShort));
}

Result<v1::ListPendingReply> PolicyClient::pending() const {
  v1::ListPendingReply all;
  v1::ListPendingRequest next;
  while (true) {
    ASSIGN_OR_RETURN(auto page, stub_->client.call("ListPending", &v1::Policy::Stub::ListPending, next, kShort));
    for (auto& question : *page.mutable_pending()) *all.add_pending() = std::move(question);
    if (!page.more()) return all;
    if (page.pending().empty()) {
      return Error{Code::kInternal, "da-policy sent an empty page, but says that more pages follow"};
    }
    next.set_after(all.pending().rbegin()->approval_id());
  }
}

Result<v1::WriteLockState> PolicyClient::unlock(const v1::UnlockRequest& request) const {
  ASSIGN_OR_RETURN(const auto reply, stub_->client.call("Unlock", &v1::Policy::Stub::Unlock, request, kShort));
  return reply.state();
}

Result<v1::WriteLockState> PolicyClient::lock(const std::string& by) const {
  v1::LockRequest request;
  request.set_by(by);
  ASSIGN_OR_RETURN(const auto reply, stub_->client.call("Lock", &v1::Policy::Stub::Lock, request, kShort));
  return reply.state();
}

Result<v1::HaltReply> PolicyClient::halt(const std::string& reason, const std::string& by,
                                         const std::stop_token& stop) const {
  v1::HaltRequest request;
  request.set_reason(reason_text(reason));
  request.set_by(by);
  return stub_->client.call("Halt", &v1::Policy::Stub::Halt, request, kHalt, stop);
}

Result<v1::PauseReply> PolicyClient::pause(const std::string& reason, const std::string& by) const {
  v1::PauseRequest request;
  request.set_reason(reason_text(reason));
  request.set_by(by);
  return stub_->client.call("Pause", &v1::Policy::Stub::Pause, request, kHalt);
}

Result<void> PolicyClient::resume(const std::string& by) const {
  v1::ResumeRequest request;
  request.set_by(by);
  return without_reply(stub_->client.call("Resume", &v1::Policy::Stub::Resume, request, kHalt));
}

struct PlannerClient::Stub {
  rpc::Client<v1::Planner> client;
};

PlannerClient::PlannerClient(const rpc::Channel& channel) : stub_(new Stub{rpc::Client<v1::Planner>(channel)}) {}
PlannerClient::~PlannerClient() = default;

Result<v1::ChoosePlannerReply> PlannerClient::choose(const v1::ChoosePlannerRequest& request) const {
  return stub_->client.call("ChoosePlanner", &v1::Planner::Stub::ChoosePlanner, request, kShort);
}

Result<v1::StartTaskReply> PlannerClient::start(const v1::StartTaskRequest& request) const {
  return stub_->client.call("StartTask", &v1::Planner::Stub::StartTask, request, kShort);
}

Result<v1::AwaitTaskReply> PlannerClient::await(const std::string& task_id, Milliseconds max_wait) const {
  v1::AwaitTaskRequest request;
  request.set_task_id(task_id);
  request.set_max_wait_ms(static_cast<std::uint32_t>(max_wait.count()));
  return stub_->client.call("AwaitTask", &v1::Planner::Stub::AwaitTask, request, max_wait + kShort);
}

Result<v1::RunCommandReply> PlannerClient::run_command(const v1::RunCommandRequest& request) const {
  return stub_->client.call("RunCommand", &v1::Planner::Stub::RunCommand, request,
                            Milliseconds(request.max_wait_ms()) + kShort);
}

Result<void> PlannerClient::cancel(const std::string& task_id, const std::string& reason) const {
  v1::CancelTaskRequest request;
  request.set_task_id(task_id);
  request.set_reason(reason_text(reason));
  return without_reply(stub_->client.call("CancelTask", &v1::Planner::Stub::CancelTask, request, kShort));
}

Result<v1::ListQuestionsReply> PlannerClient::questions() const {
  return stub_->client.call("ListQuestions", &v1::Planner::Stub::ListQuestions, v1::ListQuestionsRequest(), kShort);
}

Result<void> PlannerClient::answer(const std::string& question_id, const std::string& answer,
                                   const std::string& by) const {
  if (!is_valid_utf8(question_id) || !is_valid_utf8(answer)) {
    return Error{Code::kInvalidArgument, "the answer is not valid UTF-8"};
  }
  v1::AnswerQuestionRequest request;
  request.set_question_id(question_id);
  request.set_answer(answer);
  request.set_by(by);
  return without_reply(stub_->client.call("AnswerQuestion", &v1::Planner::Stub::AnswerQuestion, request, kShort));
}

struct ObserverClient::Stub {
  rpc::Client<v1::Observer> client;
};

ObserverClient::ObserverClient(const rpc::Channel& channel, std::string observation_token)
    : stub_(new Stub{rpc::Client<v1::Observer>(channel)}), observation_token_(std::move(observation_token)) {}
ObserverClient::~ObserverClient() = default;

Result<v1::Observation> ObserverClient::observe() const {
  v1::ObserveRequest request;
  request.set_observation_token(observation_token_);
  return stub_->client.call("Observe", &v1::Observer::Stub::Observe, request, kLook);
}

Result<v1::Observation> ObserverClient::observe_picture() const {
  v1::ObserveRequest request;
  request.set_observation_token(observation_token_);
  request.set_image(v1::IMAGE_WISH_PLAIN);
  request.set_return_image(true);
  request.set_settle(true);
  constexpr std::uint32_t kSettleMs = 1000;  // A menu that just closed fades out.
  request.set_max_wait_ms(kSettleMs);
  return stub_->client.call("Observe", &v1::Observer::Stub::Observe, request, kLook);
}

Result<v1::UiTree> ObserverClient::nameable_elements() const {
  v1::ReadUiRequest request;
  request.set_nameable(true);
  request.set_observation_token(observation_token_);
  return stub_->client.call("ReadUi", &v1::Observer::Stub::ReadUi, request, kLook);
}

Result<v1::AnalyzeReply> ObserverClient::analyze(v1::AnalyzeRequest request) const {
  request.set_observation_token(observation_token_);
  return stub_->client.call("Analyze", &v1::Observer::Stub::Analyze, request, kAnalyze);
}

Result<v1::LocateReply> ObserverClient::locate(v1::LocateRequest request) const {
  request.set_observation_token(observation_token_);
  return stub_->client.call("Locate", &v1::Observer::Stub::Locate, request, kLook);
}

Result<void> halt_actuator(const rpc::Channel& channel, const std::string& reason, const std::stop_token& stop) {
  const rpc::Client<v1::Actuator> client(channel);
  v1::ActuatorHaltRequest request;
  request.set_reason(reason_text(reason));
  return without_reply(client.call("Halt", &v1::Actuator::Stub::Halt, request, kShort, stop));
}

Result<void> pause_actuator(const rpc::Channel& channel, const std::string& reason) {
  const rpc::Client<v1::Actuator> client(channel);
  v1::ActuatorPauseRequest request;
  request.set_reason(reason_text(reason));
  return without_reply(client.call("Pause", &v1::Actuator::Stub::Pause, request, kShort));
}

Result<v1::FindRecordingReply> find_recording(const rpc::Channel& channel, const std::string& task_id,
                                              Milliseconds max_wait) {
  v1::FindRecordingRequest request;
  request.set_task_id(task_id);
  request.set_max_wait_ms(static_cast<std::uint32_t>(max_wait.count()));
  return rpc::Client<v1::Recorder>(channel).call("FindRecording", &v1::Recorder::Stub::FindRecording, request,
                                                 max_wait + kShort);
}

Result<v1::ServiceDescription> describe_service(const rpc::Channel& channel, Milliseconds timeout) {
  const rpc::Client<v1::ServiceInfo> client(channel);
  return client.call("Describe", &v1::ServiceInfo::Stub::Describe, v1::DescribeRequest(), timeout);
}

}  // namespace da::console
