// The only process that controls the desktop. Has no model key and no policy rules.
#include "lib/base/plain_output.h"
#include "lib/base/text.h"
#include "lib/os/process/end_process.h"
#include "lib/service/logging/log_facts.h"
#include "lib/service/service.h"
#include "lib/service/stopping/stop_latch.h"
#include "services/actuator/actuator_rpc.h"
#include "services/actuator/desktop/startup/examine.h"
#include "services/actuator/desktop/startup/open_desktop.h"
#include "services/actuator/desktop/startup/pick_command.h"
#include "services/actuator/installation/install_command.h"
#include "services/actuator/stopping/held_input_watchdog.h"
#include "services/actuator/stopping/user_activity_monitor.h"

namespace {

using namespace da;

// Must run first, before other threads start: it removes the secrets from the environment.
Result<actuator::ScreenMask> open_mask(const service::Config& config) {
  actuator::Masks masks;
  actuator::Secrets secrets;
  ASSIGN_OR_RETURN(const auto masks_file, config.find_path("actuator.masks"));
  if (masks_file) {
    ASSIGN_OR_RETURN(masks, actuator::Masks::load(*masks_file));
  }
  ASSIGN_OR_RETURN(const auto secrets_file, config.find_path("actuator.secrets"));
  if (secrets_file) {
    ASSIGN_OR_RETURN(secrets, actuator::Secrets::load(*secrets_file));
  }
  actuator::clear_secret_variables();
  return actuator::ScreenMask(std::move(masks), std::move(secrets));
}

std::string in_words(const actuator::Ledger::Content& content) {
  return std::to_string(content.outcomes) + " action(s), " + std::to_string(content.in_doubt) + " in doubt";
}

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(auto mask, open_mask(context.config()));
  ASSIGN_OR_RETURN(const std::string policy_key, context.config().string("actuator.policy_key"));
  ASSIGN_OR_RETURN(auto grants, actuator::GrantCheck::create(policy_key));
  ASSIGN_OR_RETURN(const auto state, context.state_directory());
  ASSIGN_OR_RETURN(const auto ledger, actuator::Ledger::open(state / "ledger"));
  ASSIGN_OR_RETURN(auto stops, service::StopLatch::open(state));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  const service::LogFacts log_facts(*bus, "actuator");
  ASSIGN_OR_RETURN(const auto desktop,
                   actuator::open_desktop(context.config(), actuator::DesktopUse::kDrive, context.clock()));
  ASSIGN_OR_RETURN(const auto launch_by, actuator::launch_by(context.config(), *desktop));
  actuator::SharedDesktop shared{*desktop, {}, {}, std::move(mask)};
  ASSIGN_OR_RETURN(const auto with_overlay, context.config().find_boolean("actuator.overlay"));
  std::optional<actuator::TaskOverlay> overlay;
  if (with_overlay.value_or(true)) overlay.emplace(desktop->overlay(), context.clock());
  actuator::TaskOverlay* const shown = overlay ? &*overlay : nullptr;
  actuator::Executor executor(shared, context.desktop_id(), std::move(grants), *ledger, stops, *bus, context.clock(),
                              {.launch_by = launch_by, .overlay = shown});
  const actuator::HeldInputWatchdog held_input_watchdog(executor);
  const actuator::UserActivityMonitor user_activity_monitor(*desktop, executor, *bus, [] { os::end_process(1); });
  actuator::ActuatorRpc rpc(shared, executor, context.peers(), context.clock(), shown);
  const auto describe = [&] {
    return service::Properties{{"halted", service::in_status(stops.halted())},
                               {"ledger", in_words(ledger->content())},
                               {"desktop", std::string(desktop->id())},
                               {"overlay", overlay ? overlay->describe() : "off: actuator.overlay = false"},
                               {"secrets", std::to_string(shared.mask.secrets().size())},
                               {"masks", std::to_string(shared.mask.masks().all().size())}};
  };
  const auto halt = [&executor](const std::string& reason, const std::string&) {
    executor.halt(escape_foreign(reason));
    return halt::Answer{true, ""};
  };
  ASSIGN_OR_RETURN(const auto halts, context.listen_for_halts("/da.v1.Actuator/Halt", halt));
  return context.serve({&rpc}, describe);
}

}  // namespace

int main(int argc, char** argv) {
  const da::PlainOutput output;
  if (const auto exit_code = da::actuator::run_install_command(argc, argv)) return *exit_code;
  if (const auto exit_code = da::actuator::run_pick_command(argc, argv)) return *exit_code;
  return da::service::run(argc, argv,
                          {.name = "actuator",
                           .summary = "Executes granted actions on this desktop.",
                           .doctor = da::actuator::examine_desktop,
                           .commands = da::actuator::install_help()},
                          service_main);
}
