// An actuator with a small simulated desktop: it keeps challenges, verifies grants like the real one, compares its
// world again just before it acts, and remembers its actions. A test changes the world or makes calls fail. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/policy/grant/actuator.h"
#include "tests/services/policy/test_key.h"

namespace da::policy::test {

class FakeActuator final : public Actuator {
 public:
  FakeActuator(const TestKey& key, const Clock& clock, std::string desktop_id)
      : key_(key), clock_(clock), desktop_id_(std::move(desktop_id)) {}

  Result<contract::SealedEvidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout,
                                           std::stop_token stop) override;
  Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<void> halt(const std::string& reason) override;
  Result<void> pause(const std::string& reason) override;
  Result<void> resume() override;
  Result<v1::HeartbeatReply> heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) override;

  // The evidence that Prepare returns from now on.
  void set_world(v1::Evidence world);
  // Runs once, after the next Prepare.
  void after_next_prepare(std::function<void()> change);
  // Runs once, after the next Prepare for a question: the world changes while a person reads.
  void while_a_person_reads(std::function<void()> change);
  // Runs once, at the start of the next Resume.
  void before_next_resume(std::function<void()> change);
  void fail_prepare(std::optional<Error> error);
  // The next Execute acts but returns this error.
  void lose_answer(Error error);
  // Execute blocks until it is halted, paused or cancelled.
  void hold_execute();
  void wait_until_executing();
  // Simulates a person at the desktop, or a locked session: interrupts the running step; refuses others until resumed.
  void pause_by_itself(v1::Pause::Cause cause, const std::string& reason);
  // Heartbeats are answered once released, with the state at their arrival.
  void hold_heartbeats();
  void release_heartbeats();
  // False after the timeout.
  bool wait_for_heartbeats(int more, std::chrono::milliseconds at_most);
  // The number of heartbeats so far, and a wait for a total that the caller computed earlier.
  int heartbeats() const;
  bool wait_until_heartbeats(int all, std::chrono::milliseconds at_most);
  // The task ids of the last heartbeat.
  std::set<std::string> open_tasks() const;
  // Returns once a heartbeat has named exactly these challenges as waiting; false after 10 s.
  bool wait_until_waiting(const std::vector<std::string>& challenges);
  // The justification of the last Prepare.
  std::string justification() const;
  // Prepare returns evidence of another action.
  void lie_about_the_action();

  std::vector<std::string> done() const;  // Effective texts and clicks.
  int prepared() const;
  bool halted() const;
  bool paused() const;
  std::vector<v1::GrantClaims> grants() const;

 private:
  struct Challenge {
    v1::Evidence evidence;
    MonoTime at;
  };
  Result<v1::GrantClaims> check(const v1::ExecuteRequest& request);
  v1::Outcome::Code pause_code() const;  // While it is paused.
  bool world_matches(const v1::Evidence& evidence) const;
  v1::Outcome outcome(v1::Outcome::Kind kind, v1::Outcome::Code code, const std::string& message) const;

  const TestKey& key_;
  const Clock& clock_;
  const std::string desktop_id_;
  const std::string boot_id_ = random_uuid();
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  v1::Evidence world_;
  std::map<std::string, Challenge> challenges_;
  std::function<void()> after_prepare_;
  std::function<void()> while_read_;
  std::function<void()> before_resume_;
  std::optional<Error> prepare_error_;
  std::optional<Error> lost_;
  bool hold_ = false;
  bool executing_ = false;
  bool halted_ = false;
  std::optional<v1::Pause> pause_;
  int heartbeats_ = 0;
  std::set<std::string> open_tasks_;
  std::vector<std::string> waiting_;
  std::string justification_;
  bool hold_heartbeats_ = false;
  bool lie_ = false;
  int prepared_ = 0;
  std::vector<std::string> done_;
  std::vector<v1::GrantClaims> grants_;
};

}  // namespace da::policy::test
