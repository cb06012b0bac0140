// Dialogs that have just opened, in applications that leave clicks on them unheard for half a second
// (AccessibleCollector::guards_new_dialogs): what is in them counts as disabled until then. One thread.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/atspi_collect.h"

namespace da::actuator::x11 {

class NewDialogs {
 public:
  explicit NewDialogs(const Clock& clock) : clock_(clock) {}

  // `nodes` are a whole top level of one application; parents stand before their children.
  void disable(std::vector<AccessibleNode>& nodes, AccessibleCollector& collector);
  // Whether a dialog was found that answers soon.
  bool any_guarded() const;

 private:
  const Clock& clock_;
  std::map<std::pair<std::string, std::string>, MonoTime> since_;  // By bus name and path.
};

}  // namespace da::actuator::x11
