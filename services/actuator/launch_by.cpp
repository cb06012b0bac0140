#include "services/actuator/launch_by.h"

#include "lib/base/text.h"

namespace da::actuator {

Result<LaunchBy> launch_by(const service::Config& config, Desktop& desktop) {
  ASSIGN_OR_RETURN(const auto named, config.find_string("actuator.launch_by"));
  if (!named || *named == "process") return LaunchBy::kProcess;
  const auto refused = [&](const std::string& why) {
    return Error{Code::kInvalidArgument, "actuator.launch_by = " + quote_foreign(*named) + ": " + why};
  };
  if (*named != "run-dialog") return refused("use \"process\" or \"run-dialog\"");
  const auto dialog = desktop.applications().run_dialog({});
  if (dialog) return LaunchBy::kRunDialog;
  return refused(dialog.error().message + "; use \"process\"");
}

}  // namespace da::actuator
