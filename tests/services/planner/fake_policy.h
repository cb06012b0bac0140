// The planner's policy on a FakeWorld: allows and carries out each step, unless a test intercepts it. One thread,
// except for halt(), pause(), resume() and wait_until_awaited(), which another thread may call.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "services/planner/roles.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {

class FakePolicy final : public Policy {
 public:
  explicit FakePolicy(FakeWorld& world) : world_(world) {}

  Result<void> connect() override {
    if (is_there) return ok();
    return Error{Code::kUnavailable, "da-policy cannot be reached"};
  }
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                        std::stop_token stop) override;
  Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                            std::stop_token stop) override;
  Result<void> close_task(const v1::CloseTaskRequest& request) override;

  // Halts, like a person at the console. Any thread.
  void halt(const std::string& reason);
  // Pauses, and refuses submissions as paused until the resume. Any thread.
  void pause(v1::Pause::Cause cause, const std::string& reason);
  void resume();
  // Waits until a caller waits for a resume.
  void wait_until_awaited();

  // Returns a reply instead of carrying out the action; nullopt carries it out.
  std::function<std::optional<Result<v1::SubmitReply>>(const v1::SubmitRequest&)> intercept;
  bool is_there = true;             // False: there is no connection.
  bool waits_for_a_person = false;  // submit() returns only after a stop request.
  std::vector<v1::SubmitRequest> submitted;
  std::vector<std::string> closed_tokens;

 private:
  std::mutex halt_mutex_;
  std::condition_variable halt_changed_;
  std::string halt_reason_;  // Empty: not halted.
  std::optional<v1::Pause> pause_;
  bool awaited_ = false;
  FakeWorld& world_;
};

v1::SubmitReply verdict(v1::Verdict::Decision decision, v1::Outcome::Kind kind = v1::Outcome::KIND_UNSPECIFIED,
                        v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED);

}  // namespace da::planner
