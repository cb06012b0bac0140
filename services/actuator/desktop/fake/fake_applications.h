// The installed programs of a fake desktop: starts them, and knows which have ended. Any thread. The world must outlive
// the object.
#pragma once

#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/applications.h"

namespace da::actuator::fake {

class FakeApplications final : public Applications {
 public:
  explicit FakeApplications(FakeWorld& world) : world_(world) {}

  Result<LaunchPlan> resolve(std::string_view command) override;
  Result<std::uint32_t> launch(const LaunchPlan& plan) override;
  Result<RunDialog> run_dialog(const LaunchPlan& plan) override;
  std::vector<LaunchedProgram> launched() override;
  std::vector<std::string> open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) override;

 private:
  void remember(LaunchedProgram program);
  std::string nearest(const LaunchPlan& plan) const;

  FakeWorld& world_;
};

}  // namespace da::actuator::fake
