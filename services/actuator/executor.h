// The only way to the desktop's input: Prepare finds out where an action would act, Execute acts if a grant says so.
//
//   prepare: find the target -> Evidence with a one-time challenge (nothing is touched)
//   execute: signature -> challenge, digests, expiry -> not halted -> target still the same -> intent in the ledger
//            -> still not halted, and where the disk was slow all of it again -> act, in chunks, each with a look at
//            halt, cancel and focus -> outcome in the ledger -> publish
//
// prepare and execute run one at a time (the desktop's lock); halt() takes effect between two chunks of input.
// Any thread.
#pragma once

#include <atomic>
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

class Executor {
 public:
  Executor(SharedDesktop& shared, std::string desktop_id, GrantCheck grants, Ledger& ledger, service::HaltLatch& halt,
           bus::Publisher& bus, const Clock& clock);

  Result<v1::Evidence> prepare(const v1::PrepareRequest& request);

  // `cancelled` is asked between chunks. Never fails: what goes wrong is an outcome.
  v1::Outcome execute(const v1::ExecuteRequest& request, const std::function<bool()>& cancelled);

  void halt(const std::string& reason);
  // An error leaves it halted.
  Result<void> resume();

  const std::string& boot_id() const { return boot_id_; }

 private:
  struct Prepared {
    std::string id;  // The challenge.
    Challenge challenge;
    Target target;
  };

  Result<Target> find_target(const v1::Action& action);
  Result<v1::Evidence> to_evidence(const Target& target);
  v1::Outcome execute_granted(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                              const std::function<bool()>& cancelled);
  std::optional<v1::Outcome> objection_after_intent(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                                                    const Prepared& prepared, MonoTime asked,
                                                    const std::function<bool()>& cancelled);
  std::optional<Prepared> take_prepared(const std::string& challenge);
  // Asks whether the window, and for text the element, that has the focus now keeps it.
  Checkpoint make_checkpoint(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled);

  SharedDesktop& shared_;
  const std::string desktop_id_;  // The configuration's: what the policy's grants name.
  const GrantCheck grants_;
  Ledger& ledger_;
  service::HaltLatch& halt_;
  bus::Publisher& bus_;
  const Clock& clock_;
  const std::string boot_id_;
  TargetFinder finder_;
  Performer performer_;
  std::list<Prepared> prepared_;  // Oldest first; guarded by shared_.mutex.
};

}  // namespace da::actuator
