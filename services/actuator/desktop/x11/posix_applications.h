// Starts programs with an argv: no shell, no inherited descriptors, a session of their own.
// A started program is nobody's child here (it was forked twice), so it outlives us and leaves no zombie. With a
// launcher (launcher_main.cpp) between, we hear of its end. One thread at a time.
#pragma once

#include <map>
#include <string>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/launched_programs.h"

namespace da::actuator::x11 {

class PosixApplications final : public Applications {
 public:
  // Variables that replace or join our own environment in what is started.
  // Without a launcher, launched() knows of nothing.
  explicit PosixApplications(std::map<std::string, std::string> environment, std::string launcher = {},
                             const Clock& clock = system_clock())
      : environment_(std::move(environment)), launcher_(std::move(launcher)), clock_(clock), launched_(clock) {}

  // kNotFound, with the nearest names, where neither a program nor a desktop entry has this name.
  Result<LaunchPlan> resolve(std::string_view command) override;
  Result<std::uint32_t> launch(const LaunchPlan& plan) override;
  std::vector<LaunchedProgram> launched() override;

 private:
  std::map<std::string, std::string> environment_;
  const std::string launcher_;
  const Clock& clock_;
  LaunchedPrograms launched_;
};

}  // namespace da::actuator::x11
