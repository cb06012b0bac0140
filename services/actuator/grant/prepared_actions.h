// The actions that wait for their grant. Not thread-safe.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "services/actuator/grant/grant_check.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

struct PreparedAction {
  std::string id;  // The challenge that the grant names.
  Challenge challenge;
  ActionTarget target;
  std::string justification;  // Masked.
  v1::RowName row = {};       // Copied from PrepareRequest.
};

class PreparedActions {
 public:
  static constexpr std::size_t kMax = 64;

  // If there are more than kMax then, drops the oldest of the task that has the most: a task that prepares endlessly
  // displaces no other task's.
  void add(PreparedAction action);
  // Each action can be taken once; nullopt: it is unknown, or was taken or dropped.
  std::optional<PreparedAction> take(const std::string& id);

 private:
  std::list<PreparedAction> actions_;  // Oldest first.
};

}  // namespace da::actuator
