#include "services/console/session/session.h"

#include <algorithm>
#include <iostream>
#include <span>
#include <vector>

#include "lib/bus/zmq_transport.h"
#include "lib/os/process/local_person.h"
#include "services/console/session/desktop_of_run.h"
#include "services/console/session/run_directory.h"

namespace da::console {
namespace {

constexpr Milliseconds kSubscribeTimeout{5000};

std::string on_desktop(const std::filesystem::path& run) {
  const std::string desktop = desktop_of_run(run);
  return desktop.empty() ? "" : " on " + desktop;
}

// `runs`: those of this display first, and of these the newest.
void print_other_runs(const std::vector<std::filesystem::path>& runs) {
  const std::string which = is_on_other_display(runs.front()) ? "none is on this display, and this is the newest, "
                                                              : "this is the newest of this desktop, ";
  std::string text = "da-console: several runs of yours are alive; " + which + runs.front().string() +
                     on_desktop(runs.front()) + ". For another:";
  for (const auto& other : std::span(runs).subspan(1)) {
    text += "\n  --config " + (other / kConsoleConfig).string() + on_desktop(other);
  }
  std::cerr << text + "\n" << std::flush;
}

Error no_run() {
  return {Code::kUnavailable,
          "no run of yours is alive on this machine: start one with da-console --goal \"...\", or name a "
          "configuration with --config FILE"};
}

}  // namespace

Result<Session> Session::open(const std::filesystem::path& config_file) {
  if (!config_file.empty()) return open_at(config_file);
  auto runs = RunDirectory::live();
  if (runs.empty()) return no_run();
  sort_own_display_first(runs);
  if (runs.size() > 1) print_other_runs(runs);
  return open_run(runs.front());
}

Result<Session> Session::open_run(const std::filesystem::path& run) {
  auto session = open_at(run / kConsoleConfig);
  // Files may be missing because the run has just ended.
  const auto still = RunDirectory::live();
  if (!session && std::ranges::find(still, run) == still.end()) return no_run();
  return session;
}

Result<Session> Session::open_at(const std::filesystem::path& config_file) {
  ASSIGN_OR_RETURN(auto config, service::Config::load(config_file));
  ASSIGN_OR_RETURN(auto credentials, service::LiveCredentials::open(config, identity::Role::kConsole));
  Session session(config_file, std::move(config), std::move(credentials));
  ASSIGN_OR_RETURN(const auto policy, session.channel_to("policy"));
  ASSIGN_OR_RETURN(const auto planner, session.channel_to("planner"));
  session.policy_ = std::make_unique<PolicyClient>(policy);
  session.planner_ = std::make_unique<PlannerClient>(planner);
  return session;
}

Result<rpc::Channel> Session::channel_to(const std::string& service) const {
  ASSIGN_OR_RETURN(const auto address, config_.string("endpoints." + service));
  ASSIGN_OR_RETURN(const auto role, identity::parse_role(service));
  return rpc::Channel(role, address, credentials_.get());
}

Result<halt::Answer> Session::halt_by_datagram(identity::Role service, const std::string& reason, Milliseconds timeout,
                                               const std::stop_token& stop) const {
  ASSIGN_OR_RETURN(const auto address, config_.string("endpoints." + std::string(to_string(service))));
  return halt::halt_by_datagram(address, service, credentials_.get(), reason, os::local_person(), timeout, stop);
}

Result<std::unique_ptr<bus::Subscriber>> Session::subscribe(bus::Images images) const {
  ASSIGN_OR_RETURN(auto source, connect_bus(bus::shown_topics(images)));
  auto subscriber = std::make_unique<bus::Subscriber>(std::move(source));
  RETURN_IF_ERROR(subscriber->wait_in_force(system_clock().now() + kSubscribeTimeout));
  return subscriber;
}

Result<std::unique_ptr<bus::Source>> Session::connect_bus(const std::vector<std::string>& topics) const {
  const bool images = std::ranges::any_of(
      topics, [](const std::string& topic) { return bus::topic_of(*bus::fact_of(topic))->image(); });
  std::vector<bus::Peer> peers;
  for (const std::string name : std::span(kAllServices).first<kPublishers>()) {
    ASSIGN_OR_RETURN(const auto facts, config_.string("bus." + name + ".facts"));
    ASSIGN_OR_RETURN(const auto image_endpoint, config_.find_string("bus." + name + ".images"));
    peers.push_back({*identity::parse_role(name), {facts, images ? image_endpoint.value_or("") : ""}});
  }
  return bus::connect_zmq(peers, topics, credentials_.get());
}

}  // namespace da::console
