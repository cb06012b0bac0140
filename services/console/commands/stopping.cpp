// halt, pause, resume: a person's word that must get through. Actuator and policy are told directly, each with a
// deadline of its own, so that one that hangs does not keep the other going; the actuator, whose hands are to stop,
// has the machine to itself for the first moment. Nothing else is asked, and nobody else needs to be alive.
#include <algorithm>
#include <future>
#include <iostream>
#include <mutex>
#include <vector>

#include "lib/os/local_person.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/session.h"

namespace da::console {
namespace {

// What one of the two answered.
struct Told {
  bool actuator_obeys = false;
  std::string answer;
};

// A connection takes some ten milliseconds to make, of the same processors that make the other.
constexpr Milliseconds kHeadStart{25};

// One line at a time: several runs may answer at once.
void say(const std::string& line) {
  static std::mutex saying;
  const std::lock_guard lock(saying);
  std::cout << line << std::endl;
}

// `run` stands before each line, where there are several.
template <class AskActuator, class AskPolicy>
int ask_both(const std::string& run, const AskActuator& ask_actuator, const AskPolicy& ask_policy) {
  const auto by_actuator = std::async(std::launch::async, ask_actuator).share();
  auto by_policy = std::async(std::launch::async, [&ask_policy, by_actuator] {
    by_actuator.wait_for(kHeadStart);
    return ask_policy();
  });
  const Told& actuator = by_actuator.get();
  say(run + "actuator: " + actuator.answer);
  const Told policy = by_policy.get();
  say(run + "policy: " + policy.answer);
  return actuator.actuator_obeys || policy.actuator_obeys ? kDone : kServiceLost;
}

template <class Reply>
Told policy_told(const Result<Reply>& reply, const std::string& done) {
  if (!reply) return {false, reply.error().message};
  return {reply->actuator() == done, done};
}

Told actuator_told(const Result<void>& result, const std::string& done) {
  return {result.has_value(), result ? done : result.error().message};
}

int halt_session(const Session& session, const std::string& reason, const std::string& run = "") {
  return ask_both(
      run,
      [&] {
        const auto channel = session.channel_to("actuator");
        return actuator_told(channel ? halt_actuator(*channel, reason) : channel.error(), "halted");
      },
      [&] { return policy_told(session.policy().halt(reason, os::local_person()), "halted"); });
}

int halt_run(const std::filesystem::path& run, const std::string& reason) {
  const std::string name = run.filename().string() + ": ";
  const auto session = Session::open_run(run);
  if (session) return halt_session(*session, reason, name);
  const auto still = RunDirectory::live();
  if (std::ranges::find(still, run) != still.end()) return report(session.error());
  say(name + "it has ended");
  return kDone;
}

// All at once, so that one that hangs does not keep the others going. The worst of their exit codes.
int halt_runs(const std::vector<std::filesystem::path>& runs, const std::string& reason) {
  std::vector<std::future<int>> halts;
  for (const auto& run : runs) {
    halts.push_back(std::async(std::launch::async, [&run, &reason] { return halt_run(run, reason); }));
  }
  int worst = kDone;
  for (auto& halt : halts) worst = std::max(worst, halt.get());
  return worst;
}

Result<void> resume_at(const std::filesystem::path& config) {
  ASSIGN_OR_RETURN(const auto session, Session::open(config));
  return session.policy().resume(os::local_person());
}

int say_resumed(const Result<void>& resumed) {
  if (!resumed) return report(resumed.error());
  std::cout << "resumed\n";
  return kDone;
}

}  // namespace

int halt(const std::filesystem::path& config, const std::string& reason) {
  const auto runs = config.empty() ? RunDirectory::live() : std::vector<std::filesystem::path>();
  if (runs.size() > 1) return halt_runs(runs, reason);
  const auto session = runs.empty() ? Session::open(config) : Session::open_run(runs.front());
  if (!session) return report(session.error());
  return halt_session(*session, reason);
}

int pause(const std::filesystem::path& config, const std::string& reason) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  return ask_both(
      "",
      [&] {
        const auto channel = session->channel_to("actuator");
        return actuator_told(channel ? pause_actuator(*channel, reason) : channel.error(), "paused");
      },
      [&] {
        Told told = policy_told(session->policy().pause(reason, os::local_person()), "paused");
        // Nothing begins any more once the policy is paused.
        told.actuator_obeys = told.actuator_obeys || told.answer == "paused";
        return told;
      });
}

// A halt outlives the run in which it was called; where no run lives, services are started just to clear it.
int resume(const std::filesystem::path& config) {
  if (!config.empty() || !RunDirectory::live().empty()) {
    const auto resumed = resume_at(config);
    // A halted run ends: it may have gone meanwhile.
    const bool run_is_gone = !resumed && resumed.error().code == Code::kUnavailable && config.empty();
    if (!run_is_gone) return say_resumed(resumed);
  }
  const auto services = EmbeddedServices::start({.backend = "fake"});
  if (!services) return report(services.error());
  return say_resumed(resume_at(services->console_config()));
}

}  // namespace da::console
