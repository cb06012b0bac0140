// Touches the desktop, and nothing else does. Holds no model key and no policy rule.
#include "lib/base/text.h"
#include "lib/service/halt_latch.h"
#include "lib/service/service.h"
#include "services/actuator/actuator_rpc.h"
#include "services/actuator/desktop/examine.h"
#include "services/actuator/desktop/open_desktop.h"

namespace {

using namespace da;

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(const std::string policy_key, context.config().string("actuator.policy_key"));
  ASSIGN_OR_RETURN(auto grants, actuator::GrantCheck::create(policy_key));
  ASSIGN_OR_RETURN(const auto state, context.state_directory());
  ASSIGN_OR_RETURN(const auto ledger, actuator::Ledger::open(state / "ledger"));
  ASSIGN_OR_RETURN(auto halt, service::HaltLatch::open(state));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  ASSIGN_OR_RETURN(const auto desktop, actuator::open_desktop(context.config(), context.clock()));
  actuator::SharedDesktop shared{*desktop, {}, {}};
  actuator::Executor executor(shared, context.desktop_id(), std::move(grants), *ledger, halt, *bus, context.clock());
  actuator::ActuatorRpc rpc(shared, executor, context.clock());
  const auto describe = [&] {
    const auto halted = halt.engaged();
    return service::Properties{{"halted", halted ? "yes: " + escape_foreign(halted->reason) : "no"},
                               {"desktop", std::string(desktop->id())}};
  };
  return context.serve({&rpc}, describe);
}

}  // namespace

int main(int argc, char** argv) {
  return da::service::run(argc, argv,
                          {"actuator", "Executes granted actions on this desktop.", da::actuator::examine_desktop},
                          service_main);
}
