// Connections to the services that one configuration names. Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lib/base/result.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/halt/halt_call.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

class Session {
 public:
  // Opens the file; if empty, the newest live embedded run on this process's display, or the newest at all. Lists other
  // live runs on stderr.
  static Result<Session> open(const std::filesystem::path& config_file);
  // run: one of RunDirectory::live(). kUnavailable if it has ended since.
  static Result<Session> open_run(const std::filesystem::path& run);

  const PolicyClient& policy() const { return *policy_; }
  const PlannerClient& planner() const { return *planner_; }
  const std::filesystem::path& config_file() const { return config_file_; }
  Result<rpc::Channel> channel_to(const std::string& service) const;

  // Halts a service by datagrams (lib/halt/halt_call.h): a flood of connections does not delay them.
  Result<halt::Answer> halt_by_datagram(identity::Role service, const std::string& reason, Milliseconds timeout,
                                        const std::stop_token& stop) const;

  // Subscribes to the facts of all services that people are shown; returns when the subscriptions are in force.
  Result<std::unique_ptr<bus::Subscriber>> subscribe(bus::Images images) const;
  // Connects to the bus of all publishers; the subscriptions are not in force yet.
  Result<std::unique_ptr<bus::Source>> connect_bus(const std::vector<std::string>& topics) const;

 private:
  static Result<Session> open_at(const std::filesystem::path& config_file);
  Session(std::filesystem::path config_file, service::Config config, service::LiveCredentials credentials)
      : config_file_(std::move(config_file)), config_(std::move(config)), credentials_(std::move(credentials)) {}

  std::filesystem::path config_file_;
  service::Config config_;
  service::LiveCredentials credentials_;
  std::unique_ptr<PolicyClient> policy_;
  std::unique_ptr<PlannerClient> planner_;
};

// Listed in display order. The publishers come first.
inline constexpr const char* kAllServices[] = {"observer", "planner", "policy", "actuator", "recorder"};
inline constexpr std::size_t kPublishers = 4;

}  // namespace da::console
