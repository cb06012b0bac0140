// halt, pause, resume. halt and pause call actuator and policy in parallel, each with its own deadline, so that a
// service that hangs does not delay the other. The actuator's call starts kHeadStart earlier.
#include <algorithm>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "lib/os/process/local_person.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/session.h"

namespace da::console {
namespace {

struct StopAnswer {
  bool stopped = false;  // The service itself.
  bool actuator_stopped = false;
  std::string text;
};

// About ten milliseconds of CPU time per connection would otherwise delay the actuator's.
constexpr Milliseconds kHeadStart{25};
// A service on the next machine answers two datagrams within some milliseconds.
constexpr Milliseconds kDatagramHeadStart{60};
constexpr Milliseconds kDatagramTimeout{4'000};

// Thread-safe, because several runs may answer at once.
void print_line(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << line << std::endl;
}

// `run` is a prefix for the lines, if there are several runs.
template <class AskActuator, class AskPolicy>
int ask_both(const std::string& run, const AskActuator& ask_actuator, const AskPolicy& ask_policy) {
  const auto by_actuator = std::async(std::launch::async, ask_actuator).share();
  auto by_policy = std::async(std::launch::async, [&ask_policy, by_actuator] {
    by_actuator.wait_for(kHeadStart);
    return ask_policy(by_actuator);
  });
  const StopAnswer& actuator = by_actuator.get();
  print_line(run + "actuator: " + actuator.text);
  const StopAnswer policy = by_policy.get();
  print_line(run + "policy: " + policy.text);
  return actuator.actuator_stopped || policy.actuator_stopped ? kDone : kServiceLost;
}

template <class Reply>
StopAnswer policy_answer(const Result<Reply>& reply, const std::string& done) {
  if (!reply) return {false, false, reply.error().message};
  return {true, reply->actuator() == done, done};
}

StopAnswer actuator_answer(const Result<void>& result, const std::string& done) {
  return {result.has_value(), result.has_value(), result ? done : result.error().message};
}

// Asks by datagrams, because a flood of connections can keep a call from its service, and by a call if they are not
// answered at once, because a firewall may drop datagrams. The first answer counts. `halted`: that of datagrams.
StopAnswer halt_service(const Session& session, identity::Role service, const std::string& reason,
                        const StopAnswer& halted, const std::function<StopAnswer(const std::stop_token&)>& call) {
  std::stop_source end_datagrams;
  std::stop_source end_call;
  auto by_datagrams = std::async(std::launch::async, [&]() -> std::optional<StopAnswer> {
    const auto answer = session.halt_by_datagram(service, reason, kDatagramTimeout, end_datagrams.get_token());
    if (!answer || !answer->done) return std::nullopt;
    end_call.request_stop();
    return halted;
  });
  std::optional<StopAnswer> called;
  if (by_datagrams.wait_for(kDatagramHeadStart) == std::future_status::timeout) {
    called = call(end_call.get_token());
    if (called->stopped) end_datagrams.request_stop();
  }
  if (const auto answer = by_datagrams.get()) return *answer;
  return called ? *called : call({});
}

int halt_session(const Session& session, const std::string& reason, const std::string& run = "") {
  const auto call_actuator = [&](const std::stop_token& stop) {
    const auto channel = session.channel_to("actuator");
    return actuator_answer(channel ? halt_actuator(*channel, reason, stop) : channel.error(), "halted");
  };
  const auto call_policy = [&](const std::stop_token& stop) {
    return policy_answer(session.policy().halt(reason, os::local_person(), stop), "halted");
  };
  return ask_both(
      run,
      [&] {
        return halt_service(session, identity::Role::kActuator, reason, actuator_answer(ok(), "halted"), call_actuator);
      },
      [&](const std::shared_future<StopAnswer>& by_actuator) {
        const StopAnswer policy =
            halt_service(session, identity::Role::kPolicy, reason, {true, false, "halted"}, call_policy);
        // A call also tells whether the policy has halted an actuator that this console cannot reach.
        return policy.actuator_stopped || by_actuator.get().actuator_stopped ? policy : call_policy({});
      });
}

int halt_run(const std::filesystem::path& run, const std::string& reason) {
  const std::string name = run.filename().string() + ": ";
  const auto session = Session::open_run(run);
  if (session) return halt_session(*session, reason, name);
  const auto still = RunDirectory::live();
  if (std::ranges::find(still, run) != still.end()) return report(session.error());
  print_line(name + "it has ended");
  return kDone;
}

// In parallel, so that a run that hangs does not delay the others. Returns the worst exit code.
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

int print_resumed(const Result<void>& resumed) {
  if (!resumed) return report(resumed.error());
  std::cout << "resumed\n";
  return kDone;
}

}  // namespace

int halt(const std::filesystem::path& config, const std::string& reason) {
  const auto runs = config.empty() ? RunDirectory::live() : std::vector<std::filesystem::path>();
  if (runs.size() > 1) return halt_runs(runs, reason);
  ASSIGN_OR_REPORT(const auto session, runs.empty() ? Session::open(config) : Session::open_run(runs.front()));
  return halt_session(session, reason);
}

int pause(const std::filesystem::path& config, const std::string& reason) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  return ask_both(
      "",
      [&] {
        const auto channel = session.channel_to("actuator");
        return actuator_answer(channel ? pause_actuator(*channel, reason) : channel.error(), "paused");
      },
      [&](const std::shared_future<StopAnswer>&) {
        StopAnswer answer = policy_answer(session.policy().pause(reason, os::local_person()), "paused");
        // A paused policy grants no steps, so the actuator begins none.
        answer.actuator_stopped = answer.actuator_stopped || answer.text == "paused";
        return answer;
      });
}

// A halt outlasts its run; if no run is live, starts services just to clear the halt.
int resume(const std::filesystem::path& config) {
  if (!config.empty() || !RunDirectory::live().empty()) {
    const auto resumed = resume_at(config);
    // A halted run ends, perhaps between live() and the call.
    const bool run_is_gone = !resumed && resumed.error().code == Code::kUnavailable && config.empty();
    if (!run_is_gone) return print_resumed(resumed);
  }
  ASSIGN_OR_REPORT(const auto services, EmbeddedServices::start({.backend = "fake"}));
  return print_resumed(resume_at(services.console_config()));
}

}  // namespace da::console
