// What a command talks to: the services that one configuration names. Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lib/base/result.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

class Session {
 public:
  // From a file, or where it is empty from the newest embedded run that lives; says on stderr where others live too.
  static Result<Session> open(const std::filesystem::path& config_file);
  // One of RunDirectory::live(); kUnavailable where it has ended meanwhile.
  static Result<Session> open_run(const std::filesystem::path& run);

  const PolicyClient& policy() const { return *policy_; }
  const PlannerClient& planner() const { return *planner_; }
  // The configuration that names the services.
  const std::filesystem::path& config_file() const { return config_file_; }
  Result<rpc::Channel> channel_to(const std::string& service) const;

  // Subscribed to all services' facts, and in force.
  Result<std::unique_ptr<bus::Subscriber>> subscribe(bus::Images images) const;

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

// All services, in the order in which they are shown.
inline constexpr const char* kAllServices[] = {"observer", "planner", "policy", "actuator"};

}  // namespace da::console
