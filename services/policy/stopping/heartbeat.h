// Sends heartbeats to the actuator, which suspends without them: one each kEvery, but only while a step could be
// granted, so that a policy that runs but cannot work counts as dead. The request tells the open tasks, the reply the
// actuator's halt and pause.
//
// Its own thread sends them; ask() sends one more from any thread. The callbacks and the actuator must outlive it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "services/policy/grant/actuator.h"

namespace da::policy {

class Heartbeat {
 public:
  static constexpr Milliseconds kEvery{500};

  // Whether a step could be granted; the error of a grant otherwise. May block for some 100 ms.
  using CanGrant = std::function<Result<void>(const std::stop_token&)>;
  // Called on the sending thread.
  using Write = std::function<v1::HeartbeatRequest()>;
  using OnReply = std::function<void(const v1::HeartbeatReply&)>;

  Heartbeat(Actuator& actuator, CanGrant can_grant, Write write, OnReply on_reply);

  // Sends one from the caller's thread: after a task was opened, or after a refusal of the actuator. When it returns,
  // the actuator knows the task, and its halt or pause has been passed to OnReply.
  void ask(const std::stop_token& stop);
  // Makes the thread send its next heartbeat now. Does not wait for it.
  void hurry();
  // Ignores the replies of heartbeats in flight, because they tell the state before a resume.
  void ignore_replies_in_flight();
  // Text for people: "da-actuator answers", or why not.
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
  std::mutex pace_mutex_;
  std::condition_variable_any hurried_;
  bool hurries_ = false;
  std::mutex reply_mutex_;     // Held during on_reply_.
  std::uint64_t ignored_ = 0;  // Counts ignore_replies_in_flight().
  mutable std::mutex mutex_;
  std::string problem_ = "none has been sent yet";
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::policy
