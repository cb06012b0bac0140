// The X11 desktop of $DISPLAY (deploy/desktop) with the actuator's executor, and a policy that grants everything.
// Disturbances come from outside, by xdotool. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/bus/publisher.h"
#include "services/actuator/executor.h"
#include "tests/services/actuator/test_policy.h"

namespace da::stale {

class Stage {
 public:
  // Keeps its files in `directory`, which must outlive it.
  static Result<std::unique_ptr<Stage>> open(const std::filesystem::path& directory);

  actuator::Desktop& desktop() { return *desktop_; }
  std::filesystem::path file(const std::string& name) const { return directory_ / name; }

  Result<v1::Evidence> prepare(const v1::Action& action);
  // Executes with a grant for the evidence. Calls between_chunks before each chunk of input.
  v1::Outcome execute(const v1::Action& action, const v1::Evidence& evidence,
                      const std::function<void()>& between_chunks);
  std::string id_of(const actuator::Element& element);

  Result<void> xdotool(const std::vector<std::string>& words);
  // Waits until `is_true`; checks each time the screen is at rest. `what` is for the error.
  Result<void> await(const std::string& what, const std::function<bool()>& is_true);
  void rest(Milliseconds quiet = Milliseconds(60));
  std::string pixels(const Rect& area);

  // Returns the window when it is active.
  Result<actuator::WindowInfo> launch(const std::string& command, const std::string& title);
  Result<actuator::WindowInfo> window_titled(const std::string& title);
  Result<actuator::WindowInfo> window(const std::string& id);
  Result<std::vector<actuator::WindowInfo>> windows() { return desktop_->windows().list(); }
  void end(const actuator::WindowInfo& window);

 private:
  Stage(std::unique_ptr<actuator::Desktop> desktop, std::unique_ptr<actuator::Ledger> ledger, service::StopLatch stops,
        std::filesystem::path directory);

  const std::filesystem::path directory_;
  actuator::TestPolicy policy_;
  std::unique_ptr<actuator::Desktop> desktop_;
  actuator::SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<actuator::Ledger> ledger_;
  service::StopLatch stops_;
  bus::Publisher bus_;
  actuator::Executor executor_;
};

}  // namespace da::stale
