// Starts programs with an argv: no shell, no inherited descriptors, a session of their own. After a double fork a
// program outlives this process and leaves no zombie. The launcher in between (launcher_main.cpp) reports its end. One
// thread at a time.
#pragma once

#include <map>
#include <string>

#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/x11/applications/launched_programs.h"

namespace da::actuator::x11 {

class PosixApplications final : public Applications {
 public:
  // `environment` overrides or extends our own in started programs. Without a launcher, launched() is empty.
  explicit PosixApplications(std::map<std::string, std::string> environment, std::string launcher = {},
                             const Clock& clock = system_clock())
      : environment_(std::move(environment)), launcher_(std::move(launcher)), clock_(clock), launched_(clock) {}

  // kNotFound, with similar names, when neither a program nor a desktop entry has this name.
  Result<LaunchPlan> resolve(std::string_view command) override;
  Result<std::uint32_t> launch(const LaunchPlan& plan) override;
  Result<RunDialog> run_dialog(const LaunchPlan& plan) override;
  std::vector<LaunchedProgram> launched() override;
  std::vector<std::string> open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) override;

 private:
  std::map<std::string, std::string> environment_;
  const std::string launcher_;
  const Clock& clock_;
  LaunchedPrograms launched_;
};

}  // namespace da::actuator::x11
