// Tells what the element of an action shows of the action's effect. Runs under the desktop's lock.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/proof/drawing_pause.h"

namespace da::actuator {

// Returns the text that the action types, and that a field shows afterwards. nullopt: it types none, or a secret, which
// is compared with nothing.
std::optional<std::string> expected_text(const v1::Action& action);

class ElementEffect {
 public:
  ElementEffect(Desktop& desktop, DrawingPause& pause, const Clock& clock)
      : desktop_(desktop), pause_(pause), clock_(clock) {}

  // Begins with the clicked or the focused element of a new action.
  void begin(std::optional<Element> element);
  // Reads the element just before the press: a change that came before it is no effect of it.
  void read_before_press();

  // Returns the element as it was before the action.
  const std::optional<Element>& before() const { return element_; }

  // Reads the element again.
  Result<Element> read();
  // Whether its application did not answer the last read() in time.
  bool is_silent() const { return is_silent_; }
  // Whether the last changed() has found it disabled by the action, or just before the action arrived.
  bool is_disabled() const { return is_disabled_; }

  // Tells people what of the element shows the effect; empty: nothing does so far.
  std::string changed(const v1::Action& action, const Checkpoint& checkpoint);

 private:
  bool tells_effect(const v1::Action& action, const Element& now, const Checkpoint& checkpoint);
  bool keeps_telling(const Element& told, const Checkpoint& checkpoint);

  Desktop& desktop_;
  DrawingPause& pause_;
  const Clock& clock_;
  std::optional<Element> element_;
  bool tells_by_itself_ = false;  // Its name or text changed without the action.
  bool is_disabled_ = false;
  bool is_silent_ = false;
};

// Whether its state tells if a plain click has reached it. A toggle button may come up again by itself.
bool tells_its_state(const Element& element);
bool is_radio(const Element& element);
bool is_control(const Element& element);

}  // namespace da::actuator
