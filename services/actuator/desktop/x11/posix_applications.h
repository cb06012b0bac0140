// Starts programs with an argv: no shell, no inherited descriptors, a session of their own.
// A started program is nobody's child here (it was forked twice), so it outlives us and leaves no zombie.
// Any thread.
#pragma once

#include <map>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator::x11 {

class PosixApplications final : public Applications {
 public:
  // Variables that replace or join our own environment in what is started.
  explicit PosixApplications(std::map<std::string, std::string> environment) : environment_(std::move(environment)) {}

  // kNotFound where neither a program nor a desktop entry has this name.
  Result<LaunchPlan> resolve(std::string_view command) override;
  Result<std::uint32_t> launch(const LaunchPlan& plan) override;

 private:
  std::map<std::string, std::string> environment_;
};

}  // namespace da::actuator::x11
