#include <grpcpp/channel.h>

#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/rpc/call.h"
#include "lib/rpc/unary_stream.h"
#include "services/planner/roles.h"

namespace da::planner {
namespace {

// Short, because the policy also forgets a task without this call.
constexpr Milliseconds kCloseTimeout{2'000};
constexpr Milliseconds kAnswerGrace{2'000};

using PolicyStub = v1::Policy::Stub;

class RpcPolicy final : public Policy {
 public:
  explicit RpcPolicy(const rpc::Channel& channel)
      : channel_(channel), client_(channel), submit_(channel, "Submit", &PolicyStub::AsyncSubmit) {}

  Result<void> connect() override {
    if (channel_.connect()) return ok();
    return Error{Code::kUnavailable, channel_.peer() + " cannot be reached at " + channel_.address()};
  }

  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout,
                                 std::stop_token stop) override {
    return submit_.ask(request, timeout, stop);
  }

  Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                        std::stop_token stop) override {
    v1::AwaitHaltRequest request;
    request.set_task_token(task_token);
    request.set_max_wait_ms(static_cast<std::uint32_t>(max_wait.count()));
    return client_.call("AwaitHalt", &PolicyStub::AwaitHalt, request, max_wait + kAnswerGrace, stop);
  }

  Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                            std::stop_token stop) override {
    v1::AwaitResumeRequest request;
    request.set_task_token(task_token);
    request.set_max_wait_ms(static_cast<std::uint32_t>(max_wait.count()));
    return client_.call("AwaitResume", &PolicyStub::AwaitResume, request, max_wait + kAnswerGrace, stop);
  }

  Result<void> close_task(const v1::CloseTaskRequest& request) override {
    RETURN_IF_ERROR(client_.call("CloseTask", &PolicyStub::CloseTask, request, kCloseTimeout));
    return ok();
  }

 private:
  const rpc::Channel channel_;
  const rpc::Client<v1::Policy> client_;
  rpc::UnaryStreams<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit_;
};

}  // namespace

std::unique_ptr<Policy> connect_policy(rpc::Channel channel) { return std::make_unique<RpcPolicy>(channel); }

}  // namespace da::planner
