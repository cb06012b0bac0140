// Executes granted actions: the only path to the desktop's input.
//
//   prepare: find the target -> Evidence with a one-time challenge (no input is sent)
//   execute: check signature, challenge, digests, expiry -> not halted, paused or locked -> target unchanged -> write
//            the intent to the ledger -> not halted, paused or locked; after a slow write all checks again -> act in
//            chunks, checking stop state, cancellation and target before each -> write the outcome -> publish
//
// prepare and execute run one at a time (the desktop's lock). halt() and pause() do not wait for it and take effect
// between two chunks of input. A mouse button may stay down from one step to the next. It is released on a halt, a
// pause, a silent policy, another task, a step that does not succeed, and after kLongestHold without a step.
// Any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/publisher.h"
#include "lib/contract/evidence/sealed_evidence.h"
#include "lib/service/stopping/stop_latch.h"
#include "services/actuator/action_executor.h"
#include "services/actuator/grant/grant_check.h"
#include "services/actuator/grant/ledger.h"
#include "services/actuator/grant/prepared_actions.h"
#include "services/actuator/overlay/approval_words.h"
#include "services/actuator/overlay/task_overlay.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/stopping/held_input.h"
#include "services/actuator/stopping/stop_state.h"
#include "services/actuator/stopping/unanswered_calls.h"
#include "services/actuator/target/action_target.h"
#include "services/actuator/target/element_registry.h"
#include "services/actuator/target/target_finder.h"

namespace da::actuator {

// The desktop and the lock for all its methods except Screen::wait_quiet.
struct SharedDesktop {
  Desktop& desktop;
  std::mutex mutex;
  ElementRegistry elements;
  ScreenMask mask;
};

struct ExecutorOptions {
  LaunchBy launch_by = LaunchBy::kProcess;
  TaskOverlay* overlay = nullptr;  // Must outlive the executor. Without one, the person at the desktop sees no steps.
};

// How an area looked in the frame in which a step's point was chosen; nullopt: unknown.
using SeenLook = std::function<std::optional<std::string>(const Rect& area)>;

class Executor {
 public:
  Executor(SharedDesktop& shared, std::string desktop_id, GrantCheck grants, Ledger& ledger, service::StopLatch& stops,
           bus::Publisher& bus, const Clock& clock, ExecutorOptions options = {});

  Result<contract::SealedEvidence> prepare(const v1::PrepareRequest& request, const SeenLook& seen = nullptr);

  // Calls `cancelled` between chunks of input. Reports every failure in the outcome.
  v1::Outcome execute(const v1::ExecuteRequest& request, const std::function<bool()>& cancelled);

  void halt(const std::string& reason, const std::string& by = "a halt call");
  void pause(v1::Pause::Cause cause, const std::string& reason);
  // Ends halt and pause. After an error the desktop stays halted.
  Result<void> resume();
  v1::HeartbeatReply heartbeat() { return stop_state_.heartbeat(); }
  // Why the desktop must not be shown to any caller now; nullopt: it may be shown. Pauses at an obstacle of the
  // session, so that a look is enough to notice it. Needs the desktop's lock.
  std::optional<std::string> hide_reason();
  // Pauses if a step runs, or ran within kPersonCountsFor.
  void person_acts(const std::string& how);
  // Releases a button or keys that were held for too long. Call it several times a second.
  void check_held_input();
  // The calls of `execute`. Whoever sends its outcome to a caller counts that too.
  UnansweredCalls& unanswered() { return unanswered_; }

  const std::string& boot_id() const { return boot_id_; }

 private:
  // Pauses if the session takes no input. An error if that cannot be found out.
  Result<void> notice_session_obstacle();
  // Why the actuator must not act now. Pauses first if the session takes no input or a person has used the desktop.
  // Does not pause while a person's input may go unseen: that ends by itself.
  std::optional<StopState::Reason> stop_reason();
  v1::Outcome act(const v1::Action& action, const ActionTarget& target, const std::function<bool()>& cancelled);
  // The same, shown to the person at the desktop.
  v1::Outcome act_in_sight(const v1::Action& action, const ActionTarget& target, const std::string& justification,
                           const std::function<bool()>& cancelled);
  // Scrolls an element that is to be clicked into view first.
  v1::Outcome perform(const v1::Action& action, const ActionTarget& target, const std::function<bool()>& cancelled,
                      std::optional<StopState::Reason>& stopped);
  v1::Outcome perform_shown(const v1::Action& action, const ActionTarget& target,
                            const std::function<bool()>& cancelled, std::optional<StopState::Reason>& stopped);
  Result<ActionTarget> find_target(const v1::Action& action);
  // What has changed so that the prepared action must not act now; nullopt: it may.
  std::optional<std::string> difference(const v1::Action& action, const ActionTarget& prepared,
                                        const ActionTarget& now);
  v1::Outcome execute_granted(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                              const std::function<bool()>& cancelled);
  std::optional<v1::Outcome> objection_after_intent(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                                                    const PreparedAction& prepared, MonoTime asked,
                                                    const std::function<bool()>& cancelled);
  // Fails when the target changes (target_watch.h), on cancellation, or on a stop; `stopped` gets the stop's reason.
  Checkpoint make_checkpoint(const v1::Action& action, const ActionTarget& target,
                             const std::function<bool()>& cancelled, std::optional<StopState::Reason>& stopped);

  SharedDesktop& shared_;
  const std::string desktop_id_;  // Comes from the configuration; the policy's grants name it.
  const GrantCheck grants_;
  Ledger& ledger_;
  bus::Publisher& bus_;
  const Clock& clock_;
  TaskOverlay* const overlay_;  // Null: nobody is shown what happens.
  const ApprovalWords approval_words_;
  StopState stop_state_;
  HeldInput held_;
  const std::string boot_id_;
  TargetFinder finder_;
  v1::RowName row_;  // Row name of the action that is prepared or carried out.
  ActionExecutor action_executor_;
  PreparedActions prepared_;  // Guarded by shared_.mutex.
  std::string task_id_;       // The task of the last prepare(); guarded by shared_.mutex.
  UnansweredCalls unanswered_;
};

}  // namespace da::actuator
