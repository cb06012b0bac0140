// What every da-* service is around its own work: flags, configuration, logging, signals, the gRPC server, the bus
// publisher, and how it ends. Each service's main.cpp is
//
//   int main(int argc, char** argv) { return da::service::run(argc, argv, {.name = "policy", ...}, service_main); }
//
// service_main gets a Context, opens what it needs, and returns context.serve(...), which blocks until SIGTERM, SIGINT,
// or until the parent goes away (embedded).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "lib/rpc/channel.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "lib/service/doctor.h"

namespace grpc {
class Service;
}

namespace da::service {

struct About {
  std::string name;     // "policy"; the process is "da-policy".
  std::string summary;  // One line for --help.
  // `da-<name> doctor`: what the service needs of the machine. Empty: it needs nothing special.
  std::function<std::vector<Check>()> doctor = {};
  // Other commands that the program has, for --help; may be empty.
  std::string commands = {};
};

// What `status` shows: name and value, for people.
using Properties = std::vector<std::pair<std::string, std::string>>;

class Context {
 public:
  const Config& config() const { return config_; }
  const Clock& clock() const { return system_clock(); }
  const std::string& desktop_id() const { return desktop_id_; }

  // Binds this service's place on the bus ([bus.<name>] facts, images).
  Result<std::unique_ptr<bus::Publisher>> open_publisher();

  // The way to another service ([endpoints] <name>); an error where the configuration does not name it.
  Result<rpc::Channel> channel_to(const std::string& service) const;

  // Where this service keeps what outlives it ([<name>] state), created as 0700.
  Result<std::filesystem::path> state_directory() const;

  // Serves at [endpoints] <own name>, reports readiness, and blocks until the service is told to stop. `describe` is
  // called from any thread. The service's `before_stop` runs first of all when it is told to stop, so that it can wake
  // handlers that wait.
  Result<void> serve(
      const std::vector<grpc::Service*>& services, const std::function<Properties()>& describe,
      const std::function<void()>& before_stop = [] {});

 private:
  friend int run(int, char**, const About&, const std::function<Result<void>(Context&)>&);
  Context(About about, Config config, LiveCredentials credentials, std::string desktop_id, int ready_fd,
          int lifeline_fd)
      : about_(std::move(about)),
        config_(std::move(config)),
        credentials_(std::move(credentials)),
        desktop_id_(std::move(desktop_id)),
        ready_fd_(ready_fd),
        lifeline_fd_(lifeline_fd) {}

  About about_;
  Config config_;
  LiveCredentials credentials_;
  std::string desktop_id_;
  int ready_fd_;     // -1, or where one byte says that the service serves.
  int lifeline_fd_;  // -1, or a pipe that ends when the parent does.
};

// Parses the flags, runs service_main, and turns its result into an exit code: 0 stopped as told, 1 failed (the reason
// goes to the log and to stderr), 2 bad flags or configuration.
int run(int argc, char** argv, const About& about, const std::function<Result<void>(Context&)>& service_main);

}  // namespace da::service
