// pending, approve, deny, unlock, lock, halt, resume: a person's word to a run.
#include <iostream>

#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/session.h"
#include "services/console/terminal/approver.h"
#include "services/console/terminal/event_text.h"

namespace da::console {
namespace {

int say(const Result<void>& result, const std::string& done) {
  if (!result) return report(result.error());
  std::cout << done << "\n";
  return kDone;
}

int say(const Result<v1::WriteLockState>& state) {
  if (!state) return report(state.error());
  std::cout << "the write lock is " << (state->open() ? "open" : "closed");
  if (state->open() && state->until_wall_ns() != 0) {
    std::cout << " until " << format_wall(WallTime(Nanoseconds(state->until_wall_ns())));
  }
  std::cout << "\n";
  return kDone;
}

Result<void> resume_at(const std::filesystem::path& config) {
  ASSIGN_OR_RETURN(const auto session, Session::open(config));
  return session.policy().resume(local_person());
}

}  // namespace

int list_pending(const std::filesystem::path& config, Format format) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  const auto reply = session->policy().pending();
  if (!reply) return report(reply.error());
  for (const v1::ApprovalRequest& request : reply->pending()) {
    std::cout << (format == Format::kJson ? approval_json(request) : approval_text(request, system_clock().wall_now()))
              << "\n";
  }
  if (reply->pending().empty() && format == Format::kLines) std::cout << "nothing waits for an approval\n";
  return kDone;
}

int approve(const std::filesystem::path& config, const std::string& approval_id) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->policy().approve(approval_id, local_person()), "approved " + approval_id);
}

int deny(const std::filesystem::path& config, const std::string& approval_id, const std::string& reason) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->policy().deny(approval_id, local_person(), reason), "denied " + approval_id);
}

int unlock(const std::filesystem::path& config, Milliseconds duration) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->policy().unlock(duration, local_person()));
}

int lock(const std::filesystem::path& config) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return say(session->policy().lock(local_person()));
}

// Both are told, each directly, so that one of them that hangs does not keep the other going.
int halt(const std::filesystem::path& config, const std::string& reason) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  const auto actuator = session->channel_to("actuator");
  const auto by_actuator = actuator ? halt_actuator(*actuator, reason) : actuator.error();
  const auto by_policy = session->policy().halt(reason, local_person());
  std::cout << "actuator: " << (by_actuator ? "halted" : by_actuator.error().message) << "\n"
            << "policy: " << (by_policy ? "halted" : by_policy.error().message) << "\n";
  return by_actuator && by_policy ? kDone : kServiceLost;
}

// A halt outlives the run in which it was called; where no run lives, services are started just to clear it.
int resume(const std::filesystem::path& config) {
  if (!config.empty() || !RunDirectory::live().empty()) {
    const auto resumed = resume_at(config);
    // A halted run ends: it may have gone meanwhile.
    const bool run_is_gone = !resumed && resumed.error().code == Code::kUnavailable && config.empty();
    if (!run_is_gone) return say(resumed, "resumed");
  }
  const auto services = EmbeddedServices::start({.backend = "fake"});
  if (!services) return report(services.error());
  return say(resume_at(services->console_config()), "resumed");
}

}  // namespace da::console
