// The policy's sign of life, without which the actuator suspends: each kEvery, but only while a step could be granted,
// so that a policy that lives and cannot do its work counts as gone. It tells the actuator which tasks are open; the
// answer tells of the actuator's halt and pause.
//
// A thread of its own sends it; ask() may be called from any thread, and sends one more. What the functions refer to
// must outlive the object.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "services/policy/actuator.h"

namespace da::policy {

class Heartbeat {
 public:
  static constexpr Milliseconds kEvery{500};

  // Goes the way of a grant without granting; an error says what a grant would fail for. May block for some 100 ms.
  using CanGrant = std::function<Result<void>(const std::stop_token&)>;
  // What it tells, and what it is told. Any of its threads.
  using Write = std::function<v1::HeartbeatRequest()>;
  using OnReply = std::function<void(const v1::HeartbeatReply&)>;

  Heartbeat(Actuator& actuator, CanGrant can_grant, Write write, OnReply on_reply);

  // Sends one from the caller's thread: because a task was opened, which the actuator is to know of before this
  // returns, or because the actuator has just refused, whose state is taken over before this returns.
  void ask(const std::stop_token& stop);
  // What the actuator answers to heartbeats that were sent before is not taken over: it was told otherwise meanwhile.
  void disregard_answers_under_way();
  // "da-actuator answers", or why not; for people.
  std::string describe() const;

 private:
  void run(const std::stop_token& stop);
  Result<void> beat(const std::stop_token& stop);
  Result<void> send(const std::stop_token& stop);
  void note(const Result<void>& beat);

  Actuator& actuator_;
  const CanGrant can_grant_;
  const Write write_;
  const OnReply on_reply_;
  std::mutex hear_mutex_;  // Held while an answer is taken over.
  std::uint64_t disregarded_ = 0;
  mutable std::mutex mutex_;
  std::string problem_ = "none was sent yet";
  std::jthread thread_;  // Last: it uses the others.
};

}  // namespace da::policy
