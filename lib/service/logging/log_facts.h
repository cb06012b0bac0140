// Publishes the lines of the service's log as facts, warnings and above, while it exists. One at a time in a process;
// start_logging() comes first. A line that is logged while another one is published on the same thread is not a fact.
// Any thread.
#pragma once

#include "lib/bus/publisher.h"

namespace da::service {

class LogFacts {
 public:
  // `service` is the publisher's: "observer", "planner", "policy" or "actuator".
  LogFacts(bus::Publisher& bus, const std::string& service);
  ~LogFacts();
  LogFacts(const LogFacts&) = delete;
  LogFacts& operator=(const LogFacts&) = delete;
};

}  // namespace da::service
