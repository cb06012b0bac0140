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
#include <optional>
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
#include "lib/service/needs.h"

namespace grpc {
class Service;
}

namespace da::service {

struct About {
  std::string name;     // "policy"; the process is "da-policy".
  std::string summary;  // One line for --help.
  // `da-<name> doctor`: what the service needs of the machine. Empty: it needs nothing special.
  std::function<std::vector<Check>()> doctor = {};
  // What it needs beside common_needs(). Set: the service is shut in before it reads anything from outside. Unset: it
  // keeps all rights of its user.
  std::function<Result<Needs>(const Config&)> needs = {};
  // What --secret-fd hands over: "signing key". Empty: it takes none.
  std::string secret = {};
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
  const identity::KnownPeers& peers() const { return *credentials_.get().peers; }

  // Binds this service's place on the bus ([bus.<name>] facts, images).
  Result<std::unique_ptr<bus::Publisher>> open_publisher();

  // The way to another service ([endpoints] <name>); an error where the configuration does not name it.
  Result<rpc::Channel> channel_to(const std::string& service);

  // Where this service keeps what outlives it ([<name>] state), created as 0700.
  Result<std::filesystem::path> state_directory() const;

  // What came by --secret-fd; nullopt where the flag was not given, and after the first call. Whoever takes it wipes
  // it.
  Result<std::optional<std::string>> take_secret();

  // Serves at [endpoints] <own name>, reports readiness, and blocks until the service is told to stop. A service of an
  // embedded run that is shut in connects its channels first, and can make no further connection then: its user's other
  // services (X11, D-Bus, agents) could not tell it from the user. `describe` is called from any thread. The service's
  // `before_stop` runs first of all when it is told to stop, so that it can wake handlers that wait.
  Result<void> serve(
      const std::vector<grpc::Service*>& services, const std::function<Properties()>& describe,
      const std::function<void()>& before_stop = [] {});

 private:
  friend int run(int, char**, const About&, const std::function<Result<void>(Context&)>&);
  // Descriptors that the parent of an embedded run hands over; -1: none.
  struct Descriptors {
    int identity = -1;
    int secret = -1;
    int ready = -1;     // One byte there says that the service serves.
    int lifeline = -1;  // A pipe that ends when the parent does.
  };
  Context(About about, Config config, LiveCredentials credentials, std::string desktop_id, Descriptors descriptors)
      : about_(std::move(about)),
        config_(std::move(config)),
        credentials_(std::move(credentials)),
        desktop_id_(std::move(desktop_id)),
        descriptors_(descriptors) {}
  bool keeps_connections() const { return about_.needs && descriptors_.lifeline >= 0; }
  Result<void> keep_connections();

  About about_;
  Config config_;
  LiveCredentials credentials_;
  std::string desktop_id_;
  Descriptors descriptors_;
  std::vector<rpc::Channel> channels_;  // All that were asked for.
};

// Parses the flags, runs service_main, and turns its result into an exit code: 0 stopped as told, 1 failed (the reason
// goes to the log and to stderr), 2 bad flags or configuration.
int run(int argc, char** argv, const About& about, const std::function<Result<void>(Context&)>& service_main);

}  // namespace da::service
