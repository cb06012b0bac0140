// Judges proposed actions, asks people, and signs what may happen. Holds no input device and no model key.
#include <spdlog/spdlog.h>

#include "lib/os/file_watch.h"
#include "lib/service/service.h"
#include "services/policy/actuator_client_rpc.h"
#include "services/policy/policy.h"
#include "services/policy/policy_rpc.h"
#include "services/policy/second_factor/enroll.h"
#include "services/policy/setup.h"
#include "services/policy/workbench/audit_commands.h"
#include "services/policy/workbench/commands.h"

namespace da::policy {
namespace {

constexpr const char* kCommands =
    "Without --config, one of these, each with a --help of its own (`da-console policy|enroll|audit` call them):\n"
    "  rules check|explain|test   try a rule file, without a desktop\n"
    "  enroll                     give a person a second factor\n"
    "  audit show|verify|export   read the log of all that was decided, and check that nobody changed it";

// Tries again until the file can be used; it is on record once that it cannot.
class RulesReader {
 public:
  explicit RulesReader(Policy& policy) : policy_(policy) {}

  os::FileWatch::Read read() {
    const auto reloaded = policy_.reload_rules();
    if (!reloaded && reloaded.error().message != problem_) {
      spdlog::error("the rule file was changed and cannot be used, nothing is allowed: {}", reloaded.error().message);
    }
    if (reloaded) spdlog::warn("the rule file was changed and is in force");
    problem_ = reloaded ? std::string() : reloaded.error().message;
    return reloaded ? os::FileWatch::Read::kDone : os::FileWatch::Read::kAgain;
  }

 private:
  Policy& policy_;
  std::string problem_;
};

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(Policy::Setup setup, read_setup(context));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  ASSIGN_OR_RETURN(const auto channel, context.channel_to("actuator"));
  ASSIGN_OR_RETURN(const auto heartbeats, context.channel_to("actuator"));
  const auto actuator = connect_actuator(channel, heartbeats);
  const std::string rules_file = setup.rules.file();
  Policy policy(std::move(setup), *actuator, *bus, context.clock());
  ASSIGN_OR_RETURN(const auto rules_watch,
                   os::FileWatch::open(rules_file, [reader = RulesReader(policy)]() mutable { return reader.read(); }));
  PolicyRpc rpc(policy, context.peers());
  return context.serve(
      {&rpc}, [&] { return policy.properties(); }, [&] { policy.shut_down(); });
}

}  // namespace
}  // namespace da::policy

int main(int argc, char** argv) {
  if (da::policy::is_enroll_command(argc, argv)) return da::policy::run_enroll(argc, argv);
  if (da::policy::is_workbench_command(argc, argv)) return da::policy::run_workbench(argc, argv);
  if (da::policy::is_audit_command(argc, argv)) return da::policy::run_audit(argc, argv);
  return da::service::run(argc, argv,
                          {.name = "policy",
                           .summary = "Decides what may happen, asks people, and signs grants.",
                           .secret = "signing key",
                           .commands = da::policy::kCommands},
                          da::policy::service_main);
}
