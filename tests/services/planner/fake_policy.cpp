#include "tests/services/planner/fake_policy.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/describe.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner {

Result<v1::SubmitReply> FakePolicy::submit(const v1::SubmitRequest& request, Milliseconds, std::stop_token stop) {
  submitted.push_back(request);
  while (waits_for_a_person && !stop.stop_requested()) std::this_thread::yield();
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  if (intercept) {
    if (auto reply = intercept(request)) return *std::move(reply);
  }
  {
    const std::lock_guard lock(halt_mutex_);
    if (pause_) return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_PAUSED);
  }
  v1::SubmitReply reply = verdict(v1::Verdict::DECISION_ALLOW);
  if (request.dry_run() || is_planner_tool(request.step().action())) return reply;
  *reply.mutable_outcome() = world_.perform(request.step().action());
  return reply;
}

// Checks every 10 ms whether the caller has cancelled.
Result<v1::AwaitHaltReply> FakePolicy::await_halt(const std::string&, Milliseconds max_wait, std::stop_token stop) {
  const MonoTime deadline = system_clock().now() + max_wait;
  std::unique_lock lock(halt_mutex_);
  while (halt_reason_.empty() && !stop.stop_requested() && system_clock().now() < deadline) {
    halt_changed_.wait_for(lock, Milliseconds(10));
  }
  v1::AwaitHaltReply reply;
  reply.set_halted(!halt_reason_.empty());
  reply.set_reason(halt_reason_);
  return reply;
}

Result<v1::AwaitResumeReply> FakePolicy::await_resume(const std::string&, Milliseconds max_wait, std::stop_token stop) {
  const MonoTime deadline = system_clock().now() + max_wait;
  std::unique_lock lock(halt_mutex_);
  while (pause_ && !stop.stop_requested() && system_clock().now() < deadline) {
    awaited_ = true;
    halt_changed_.notify_all();
    halt_changed_.wait_for(lock, Milliseconds(10));
  }
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
  v1::AwaitResumeReply reply;
  if (pause_) *reply.mutable_pause() = *pause_;
  return reply;
}

void FakePolicy::pause(v1::Pause::Cause cause, const std::string& reason) {
  const std::lock_guard lock(halt_mutex_);
  awaited_ = false;
  pause_.emplace().set_cause(cause);
  pause_->set_reason(reason);
}

void FakePolicy::resume() {
  const std::lock_guard lock(halt_mutex_);
  pause_.reset();
  halt_changed_.notify_all();
}

void FakePolicy::wait_until_awaited() {
  std::unique_lock lock(halt_mutex_);
  halt_changed_.wait_for(lock, std::chrono::seconds(20), [this] { return awaited_; });
}

void FakePolicy::halt(const std::string& reason) {
  const std::lock_guard lock(halt_mutex_);
  halt_reason_ = reason;
  halt_changed_.notify_all();
}

Result<void> FakePolicy::close_task(const v1::CloseTaskRequest& request) {
  closed_tokens.push_back(request.task_token());
  return ok();
}

v1::SubmitReply verdict(v1::Verdict::Decision decision, v1::Outcome::Kind kind, v1::Outcome::Code code) {
  v1::SubmitReply reply;
  reply.mutable_verdict()->set_decision(decision);
  if (kind == v1::Outcome::KIND_UNSPECIFIED) return reply;
  reply.mutable_outcome()->set_kind(kind);
  reply.mutable_outcome()->set_code(code);
  return reply;
}

}  // namespace da::planner
