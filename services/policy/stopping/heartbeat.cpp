#include "services/policy/stopping/heartbeat.h"

#include <pthread.h>
#include <spdlog/spdlog.h>

namespace da::policy {

Heartbeat::Heartbeat(Actuator& actuator, CanGrant can_grant, Write write, OnReply on_reply)
    : actuator_(actuator),
      can_grant_(std::move(can_grant)),
      write_(std::move(write)),
      on_reply_(std::move(on_reply)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Heartbeat::run(const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "heartbeat");
  while (!stop.stop_requested()) {
    note(beat(stop));
    std::unique_lock hold(pace_mutex_);
    hurried_.wait_for(hold, stop, kEvery, [this] { return hurries_; });
    hurries_ = false;
  }
}

void Heartbeat::hurry() {
  const std::lock_guard hold(pace_mutex_);
  hurries_ = true;
  hurried_.notify_all();
}

Result<void> Heartbeat::beat(const std::stop_token& stop) {
  if (const auto can = can_grant_(stop); !can) {
    return Error{can.error().code, "not sent, because nothing could be granted: " + can.error().message};
  }
  return send(stop);
}

Result<void> Heartbeat::send(const std::stop_token& stop) {
  const std::uint64_t ignored_before = [this] {
    const std::lock_guard hold(reply_mutex_);
    return ignored_;
  }();
  ASSIGN_OR_RETURN(const auto reply, actuator_.heartbeat(write_(), stop));
  const std::lock_guard hold(reply_mutex_);
  if (ignored_before == ignored_) on_reply_(reply);
  return ok();
}

void Heartbeat::ignore_replies_in_flight() {
  const std::lock_guard hold(reply_mutex_);
  ++ignored_;
}

void Heartbeat::ask(const std::stop_token& stop) { note(send(stop)); }

void Heartbeat::note(const Result<void>& beat) {
  const std::string problem = beat ? "" : beat.error().message;
  const std::lock_guard hold(mutex_);
  if (problem.empty() != problem_.empty() && !problem.empty()) spdlog::warn("heartbeat: {}", problem);
  problem_ = problem;
}

std::string Heartbeat::describe() const {
  const std::lock_guard hold(mutex_);
  return problem_.empty() ? "da-actuator answers" : problem_;
}

}  // namespace da::policy
