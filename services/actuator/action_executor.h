// Carries out one action on its target: the handlers of the tools. The caller has checked the grant and the target.
// Runs under the desktop's lock.
#pragma once

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/launch_by.h"
#include "services/actuator/privacy/secrets.h"
#include "services/actuator/proof/effect_proof.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

class ActionExecutor {
 public:
  ActionExecutor(Desktop& desktop, const Secrets& secrets, const Clock& clock, LaunchBy launch_by)
      : desktop_(desktop), secrets_(secrets), clock_(clock), launch_by_(launch_by), proof_(desktop, clock) {}

  // Sets kind, code, message, done and total of the outcome. Calls the checkpoint between chunks of input.
  v1::Outcome perform(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);

 private:
  v1::Outcome act(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);
  // Keeps the clicks of two steps from becoming a double click. Buttons take each press as a click.
  Result<void> await_own_click(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome mouse(const v1::Mouse& mouse, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome hover(Point at);
  v1::Outcome press(const v1::Press& press, const Checkpoint& checkpoint);
  v1::Outcome hotkey(const v1::Hotkey& hotkey, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome write(const v1::Write& write, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome type(const std::string& text, Milliseconds interval, const ActionTarget& target,
                   const Checkpoint& checkpoint);
  // Presses the keys of a text; applications rest from reporting during a long one.
  Progress send(std::u32string_view keys, Milliseconds interval, const Checkpoint& checkpoint);
  bool repeats_a_button(std::u32string_view keys, const ActionTarget& target);
  v1::Outcome keyboard_type(const v1::KeyboardType& keyboard, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome paste(const v1::Paste& paste, const ActionTarget& target, const Checkpoint& checkpoint);
  enum class Fetch { kFetched, kIgnored, kBusy };
  Result<Fetch> await_fetch(const Checkpoint& checkpoint);
  v1::Outcome drag(const v1::Drag& drag, const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome launch(const LaunchPlan& plan, const Checkpoint& checkpoint);
  v1::Outcome terminate(const ActionTarget& target, const Checkpoint& checkpoint);
  v1::Outcome delete_file(const ActionTarget& target);

  Desktop& desktop_;
  const Secrets& secrets_;
  const Clock& clock_;
  const LaunchBy launch_by_;
  EffectProof proof_;
};

}  // namespace da::actuator
