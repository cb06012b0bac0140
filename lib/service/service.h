// The common part of every da-* service: flags, configuration, logging, signals, gRPC server, bus publisher, shutdown.
// Each main.cpp is
//
//   int main(int argc, char** argv) { return da::service::run(argc, argv, {.name = "policy", ...}, service_main); }
//
// service_main gets a Context, opens what it needs, and returns context.serve(...), which blocks until a stop request
// (lib/service/stopping/stop_request.h) or the end of the parent process (embedded).
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
#include "lib/halt/halt_listener.h"
#include "lib/rpc/channel.h"
#include "lib/service/config.h"
#include "lib/service/credentials.h"
#include "lib/service/doctor.h"
#include "lib/service/needs.h"
#include "lib/service/parent.h"
#include "lib/service/properties.h"

namespace grpc {
class Service;
}

namespace da::service {

struct About {
  std::string name;     // "policy"; the process is "da-policy".
  std::string summary;  // One line for --help.
  // `da-<name> doctor`: checks of the machine. Empty: no special requirements.
  std::function<std::vector<Check>()> doctor = {};
  // Needs beyond common_needs(). If set, the service is confined before it reads outside input.
  std::function<Result<Needs>(const Config&)> needs = {};
  // What --secret-fd passes, such as "signing key". Empty: the service takes no secret.
  std::string secret = {};
  // Further commands of the program, for --help; may be empty.
  std::string commands = {};
};

// Directory of data that outlives the service ([<service>] state), created with mode 0700.
Result<std::filesystem::path> state_directory(const Config& config, const std::string& service);

class Context {
 public:
  const Config& config() const { return config_; }
  const Clock& clock() const { return *clock_; }
  const std::string& desktop_id() const { return desktop_id_; }
  const identity::Credentials& credentials() const { return credentials_.get(); }
  const identity::KnownPeers& peers() const { return *credentials().peers; }

  // Binds the service's bus sockets ([bus.<name>] facts, images).
  Result<std::unique_ptr<bus::Publisher>> open_publisher();

  // Channel to another service ([endpoints] <name>); an error if it is not configured.
  Result<rpc::Channel> channel_to(const std::string& service);

  // It is the directory of this service.
  Result<std::filesystem::path> state_directory() const;

  // Whether the service must have all its connections before serve(), because it cannot make new ones afterwards.
  bool keeps_connections() const { return about_.needs && parent_.exists(); }

  // Whether the service must stop: a signal came, or the parent process ended.
  bool must_stop() const;

  // The secret from --secret-fd, once; nullopt if the flag was not given or after the first call. The caller wipes it.
  Result<std::optional<std::string>> take_secret();

  // Halts also by datagrams, at the UDP port of [endpoints] <own name> (lib/halt/halt_listener.h). Null if the address
  // is no port, or if another program receives there, which is logged: then halts come by calls alone.
  Result<std::unique_ptr<halt::HaltListener>> listen_for_halts(const std::string& method, halt::Halt halt);

  // Serves at [endpoints] <own name>, reports readiness, and blocks until the service must stop. A confined service of
  // an embedded run connects its channels first and cannot reconnect: other services of its user (X11, D-Bus, agents)
  // would take it for the user. `describe` runs on any thread. `before_stop` runs before stopping, to wake handlers.
  Result<void> serve(
      const std::vector<grpc::Service*>& services, const std::function<Properties()>& describe,
      const std::function<void()>& before_stop = [] {});

 private:
  friend int run(int, char**, const About&, const std::function<Result<void>(Context&)>&);
  Context(About about, Config config, LiveCredentials credentials, std::string desktop_id,
          std::shared_ptr<const Clock> clock, Parent parent)
      : about_(std::move(about)),
        config_(std::move(config)),
        credentials_(std::move(credentials)),
        desktop_id_(std::move(desktop_id)),
        clock_(std::move(clock)),
        parent_(parent) {}
  Result<void> keep_connections();

  About about_;
  Config config_;
  LiveCredentials credentials_;
  std::string desktop_id_;
  std::shared_ptr<const Clock> clock_;
  Parent parent_;
  std::vector<rpc::Channel> channels_;              // All channels from channel_to().
  std::shared_ptr<const bus::FactRing> published_;  // Facts of the publisher from open_publisher().
};

// Parses the flags and runs service_main. On Windows the flags come from the system, in UTF-8. Exit codes: 0 stopped, 1
// failed (reason logged and on stderr), 2 usage.
int run(int argc, char** argv, const About& about, const std::function<Result<void>(Context&)>& service_main);

}  // namespace da::service
