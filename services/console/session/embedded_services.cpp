#include "services/console/session/embedded_services.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "lib/base/path_text.h"
#include "lib/os/process/pipe.h"
#include "lib/service/logging/log_file.h"
#include "lib/service/logging/logging.h"
#include "services/console/session/desktop_of_run.h"
#include "services/console/session/embedded_config.h"
#include "services/console/session/given_files.h"
#include "services/console/session/service_environment.h"

namespace da::console {
namespace {

constexpr Milliseconds kReadyTimeout{15'000};
constexpr Milliseconds kStopGrace{3500};
// The longest wait for the policy before the actuator stops, because a halt under way needs the actuator.
constexpr Milliseconds kPolicyFirst{1800};
// Services stop in the reverse order.
constexpr std::array kStartOrder = {"recorder", "actuator", "observer", "policy", "planner"};

std::string absolute_or_empty(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).string();
}

std::optional<Milliseconds> wall_offset(const EmbeddedOptions& options) {
  if (!options.replay) return std::nullopt;
  return options.replay->wall_offset;
}

// Rotates the file of the run before, and reports early that it cannot be written.
Result<void> prepare_log_file(const EmbeddedLogs& logs) {
  if (logs.file.empty() || !logs.files) return ok();
  const std::filesystem::path file = path_of(logs.file);
  auto ready = service::rotate_log_file(file);
  if (ready) ready = service::make_log_place({.directory = {}, .file = file});
  if (!ready) return Error{Code::kInvalidArgument, "log file: " + ready.error().message};
  return ok();
}

// A service writes one byte when it is ready; the pipe closes if it dies first.
Result<void> await_ready(const std::string& service, int reader, os::ChildProcess& process, MonoTime deadline) {
  pollfd polled{reader, POLLIN, 0};
  const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now()).count();
  char byte = 0;
  if (::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(0, left))) <= 0) {
    return Error{Code::kUnavailable,
                 "da-" + service + " did not start within " + std::to_string(kReadyTimeout.count() / 1000) + " s"};
  }
  if (::read(reader, &byte, 1) == 1) return ok();
  const auto ended = process.wait(system_clock().now() + kStopGrace);
  return Error{Code::kUnavailable, "da-" + service + " did not start: " + ended.value_or("it closed its pipe") +
                                       "; see its message above, or its log"};
}

}  // namespace

Result<EmbeddedServices> EmbeddedServices::start(const EmbeddedOptions& options) {
  ASSIGN_OR_RETURN(const auto rules, find_rules(options.rules));
  ASSIGN_OR_RETURN(const auto secrets, find_given("secrets file", options.secrets));
  ASSIGN_OR_RETURN(const auto masks, find_given("masks file", options.masks));
  RETURN_IF_ERROR(prepare_log_file(options.logs));
  auto directory = RunDirectory::create();
  // kUnavailable for every cause: the exit code must not be that of a denial or a failed task.
  if (!directory) return Error{Code::kUnavailable, "the services cannot be started: " + directory.error().message};
  ASSIGN_OR_RETURN(
      const HandedOver handed_over,
      write_embedded_config({.directory = directory->path(),
                             .desktop = options.replay ? options.replay->desktop : own_desktop(options.backend),
                             .backend = options.backend,
                             .rules = rules,
                             .logs = options.logs,
                             .notify = absolute_or_empty(options.notify),
                             .secrets = secrets,
                             .masks = masks,
                             .journal = absolute_or_empty(options.journal),
                             .question_expiry = options.question_expiry,
                             .planner = options.planner,
                             .recorded = options.recorded,
                             .replay_wall_offset = wall_offset(options)}));
  if (options.replay) RETURN_IF_ERROR(options.replay->stand_in(directory->path(), handed_over));
  RETURN_IF_ERROR(directory->announce());
  ASSIGN_OR_RETURN(auto lifeline, os::make_pipe());
  EmbeddedServices services(*std::move(directory), std::move(lifeline.writer));
  std::vector<os::Pipe> ready;
  for (const std::string name : kStartOrder) {
    const auto& only = options.only;
    if (only && std::ranges::find(*only, name) == only->end()) continue;
    if (name == "recorder" && !options.recorded) continue;
    ASSIGN_OR_RETURN(auto pipe, os::make_pipe());
    ASSIGN_OR_RETURN(const auto identity, os::make_filled_pipe(to_toml(handed_over.identities.at(name))));
    os::Command command{
        .program = service_program(name).string(),
        .arguments = {"--config", (services.directory_.path() / (name + ".toml")).string(), "--identity-fd",
                      std::to_string(identity.get()), "--ready-fd", std::to_string(pipe.writer.get()), "--lifeline-fd",
                      std::to_string(lifeline.reader.get())},
        .environment = environment_of(name, options.environment),
        .inherited = {identity.get(), pipe.writer.get(), lifeline.reader.get()},
        .output = STDERR_FILENO};
    os::UniqueFd secret;
    if (name == "policy") {
      ASSIGN_OR_RETURN(secret, os::make_filled_pipe(handed_over.signing_key));
      command.arguments.insert(command.arguments.end(), {"--secret-fd", std::to_string(secret.get())});
      command.inherited.push_back(secret.get());
    }
    ASSIGN_OR_RETURN(auto process, os::ChildProcess::start(command));
    services.services_.push_back({name, std::move(process)});
    pipe.writer.reset();
    ready.push_back(std::move(pipe));
  }
  const MonoTime deadline = system_clock().now() + kReadyTimeout;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    auto& [name, process] = services.services_[i];
    RETURN_IF_ERROR(await_ready(name, ready[i].reader.get(), process, deadline));
  }
  return services;
}

EmbeddedServices::~EmbeddedServices() {
  // Planner first, actuator last, so that no service calls one that has stopped.
  const MonoTime deadline = system_clock().now() + kStopGrace;
  for (auto service = services_.rbegin(); service != services_.rend(); ++service) {
    if (service->name == "actuator") wait_for_policy();
    service->process.send_signal(SIGTERM);
  }
  for (Service& service : services_) {
    if (!service.process.wait(deadline)) service.process.send_signal(SIGKILL);
  }
}

void EmbeddedServices::wait_for_policy() {
  const auto policy = std::ranges::find(services_, "policy", &Service::name);
  if (policy != services_.end()) policy->process.wait(system_clock().now() + kPolicyFirst);
}

std::vector<int> EmbeddedServices::descriptors() const {
  std::vector<int> descriptors;
  for (const Service& service : services_) descriptors.push_back(service.process.descriptor());
  return descriptors;
}

std::optional<DeadService> EmbeddedServices::find_dead() {
  for (Service& service : services_) {
    if (const auto ended = service.process.wait(system_clock().now())) {
      return DeadService{service.name, "da-" + service.name + " is gone (" + *ended + ")"};
    }
  }
  return std::nullopt;
}

}  // namespace da::console
