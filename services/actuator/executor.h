// The only way to the desktop's input: Prepare finds out where an action would act, Execute acts if a grant says so.
//
//   prepare: find the target -> Evidence with a one-time challenge (nothing is touched)
//   execute: signature -> challenge, digests, expiry -> not halted, paused or locked -> target still the same -> intent
//            in the ledger -> still not halted, paused or locked, and where the disk was slow all of it again -> act,
//            in chunks, each with a look at halt, pause, lock, cancel and target -> outcome in the ledger -> publish
//
// prepare and execute run one at a time (the desktop's lock); halt() and pause() do not wait for it, and take effect
// between two chunks of input. A button that is held from one step to another is released when anything comes between:
// a halt, a pause, silence, another task, a step that does not succeed, or no step for kLongestHold. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/publisher.h"
#include "lib/service/halt_latch.h"
#include "services/actuator/element_registry.h"
#include "services/actuator/grant_check.h"
#include "services/actuator/ledger.h"
#include "services/actuator/performer.h"
#include "services/actuator/restraint.h"
#include "services/actuator/screen_mask.h"
#include "services/actuator/target.h"

namespace da::actuator {

// The desktop with the lock that every use of its roles takes (but for Screen::wait_quiet).
struct SharedDesktop {
  Desktop& desktop;
  std::mutex mutex;
  ElementRegistry elements;
  ScreenMask mask;
};

// How long a button stays down without a further step.
constexpr Milliseconds kLongestHold{10'000};
// How long after an act a person's input still counts as meant for the task.
constexpr Milliseconds kPersonCountsFor{10'000};

class Executor {
 public:
  Executor(SharedDesktop& shared, std::string desktop_id, GrantCheck grants, Ledger& ledger, service::HaltLatch& halt,
           bus::Publisher& bus, const Clock& clock);

  Result<v1::Evidence> prepare(const v1::PrepareRequest& request);

  // `cancelled` is asked between chunks. Never fails: what goes wrong is an outcome.
  v1::Outcome execute(const v1::ExecuteRequest& request, const std::function<bool()>& cancelled);

  void halt(const std::string& reason, const std::string& by = "a halt call");
  void pause(v1::Pause::Cause cause, const std::string& reason);
  // Ends halt and pause. An error leaves it halted.
  Result<void> resume();
  v1::HeartbeatReply heartbeat() { return restraint_.heartbeat(); }
  // Why nothing of the desktop is shown to anybody; nullopt where it is shown.
  std::optional<std::string> hides_desktop() { return restraint_.hides(); }
  // A person uses this desktop: pauses, but where nothing was done for a while.
  void person_acts(const std::string& how);
  // Releases what must not be held any longer. To be called several times a second.
  void look_after_held();
  // Returns once nothing is being executed, or this much time is over.
  void await_idle(Milliseconds longest);

  const std::string& boot_id() const { return boot_id_; }

 private:
  struct Prepared {
    std::string id;  // The challenge.
    Challenge challenge;
    Target target;
  };

  // While it lives, an act is under way.
  class Acting;

  // Why nothing may be done now. A session that is found locked pauses, and so does a person who is found at work.
  std::optional<Restraint::Reason> restrained();
  v1::Outcome act(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled);
  // Scrolls the element to be clicked into view first, where it is scrolled out.
  v1::Outcome perform(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled,
                      std::optional<Restraint::Reason>& stopped);
  Result<Target> find_target(const v1::Action& action);
  Result<v1::Evidence> to_evidence(const Target& target);
  v1::Outcome execute_granted(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                              const std::function<bool()>& cancelled);
  std::optional<v1::Outcome> objection_after_intent(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                                                    const Prepared& prepared, MonoTime asked,
                                                    const std::function<bool()>& cancelled);
  void forget_surplus_prepared();
  std::optional<Prepared> take_prepared(const std::string& challenge);
  // Asks whether the target stays what it is (target_watch.h). `stopped` is told what else has stopped it.
  Checkpoint make_checkpoint(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled,
                             std::optional<Restraint::Reason>& stopped);

  SharedDesktop& shared_;
  const std::string desktop_id_;  // The configuration's: what the policy's grants name.
  const GrantCheck grants_;
  Ledger& ledger_;
  bus::Publisher& bus_;
  const Clock& clock_;
  Restraint restraint_;
  const std::string boot_id_;
  TargetFinder finder_;
  Performer performer_;
  std::list<Prepared> prepared_;  // Oldest first; guarded by shared_.mutex.
  std::string task_id_;           // The last one's; guarded by shared_.mutex.
  std::mutex acting_mutex_;
  std::condition_variable acting_changed_;
  int acting_ = 0;
  std::optional<MonoTime> last_act_;
};

}  // namespace da::actuator
