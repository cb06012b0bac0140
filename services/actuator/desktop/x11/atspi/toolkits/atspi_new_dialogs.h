// Marks elements of new dialogs as disabled, in applications that ignore clicks on a dialog for the first half second
// (AccessibleCollector::guards_new_dialogs). One thread.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"

namespace da::actuator::x11 {

class NewDialogs {
 public:
  explicit NewDialogs(const Clock& clock) : clock_(clock) {}

  // `nodes`: a whole top level of one application, parents before children.
  void disable(std::vector<AccessibleNode>& nodes, AccessibleCollector& collector);
  // Whether a dialog is still disabled.
  bool any_guarded() const;

 private:
  const Clock& clock_;
  std::map<std::pair<std::string, std::string>, MonoTime> since_;  // Keyed by bus name and path.
};

}  // namespace da::actuator::x11
