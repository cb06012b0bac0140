#include "lib/service/service.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "lib/base/path_text.h"
#include "lib/bus/zmq_transport.h"
#include "lib/os/files/files.h"
#include "lib/os/process/confinement.h"
#include "lib/os/process/environment.h"
#include "lib/os/process/heap.h"
#include "lib/rpc/process.h"
#include "lib/rpc/server.h"
#include "lib/service/logging/logging.h"
#include "lib/service/replay.h"
#include "lib/service/service_info_rpc.h"
#include "lib/service/socket_directories.h"
#include "lib/service/stopping/stop_request.h"
#include "lib/service/version.h"

namespace da::service {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;
// If stopping takes longer, the process is ended by force.
constexpr std::chrono::seconds kStopWithin{3};
// How often freed memory is given back to the system.
constexpr Milliseconds kGiveBackEvery{2'000};
// The services of an embedded run start at the same time.
constexpr Milliseconds kConnectTimeout{10'000};
// A predecessor that was just killed may hold its address for some seconds.
constexpr std::chrono::seconds kAddressWait{10};
constexpr Milliseconds kBetweenTries{250};

struct Flags {
  std::string config;
  std::string log_level;
};

int parse_flags(int argc, char** argv, const About& about, Flags& flags, Parent& parent) {
  CLI::App app(about.summary, "da-" + about.name);
  app.footer(about.commands);
  auto* doctor = app.add_subcommand("doctor", "check what the service needs of this machine; one JSON object per line");
  app.add_option("--config", flags.config, "configuration file (TOML)");
  app.add_option("--log-level", flags.log_level, "trace, debug, info, warning, error, critical or off");
  parent.add_flags(app, about.secret);
  app.set_version_flag("--version", std::string(kVersion));
  try {
    // CLI11 takes the last argument first.
    auto arguments = os::program_arguments(argc, argv);
    std::ranges::reverse(arguments);
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  if (doctor->parsed()) {
    spdlog::set_level(spdlog::level::off);  // It would log to stdout, whose lines are the checks.
    auto checks = about.doctor ? about.doctor() : std::vector<Check>();
    if (about.needs) checks.push_back(check_confinement());
    return print_checks(checks);
  }
  if (flags.config.empty()) {
    std::cerr << "da-" << about.name << ": --config FILE is required; da-console --goal writes one for each service\n"
              << "into the directory of its run\n";
    return kExitUsage;
  }
  return -1;
}

// Runs before any outside input is read and before a second thread starts, which would keep all rights.
Result<void> confine_service(const About& about, const Config& config) {
  ASSIGN_OR_RETURN(Needs needs, about.needs(config));
  ASSIGN_OR_RETURN(const Needs common, common_needs(config, about.name));
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  add(needs.files.read, common.files.read);
  add(needs.files.write, common.files.write);
  add(needs.files.sockets, common.files.sockets);
  ASSIGN_OR_RETURN(const LogPlace log, log_place(config));
  RETURN_IF_ERROR(make_log_place(log));  // A confined process cannot create it.
  return os::confine(needs.files, std::max(needs.network, common.network));
}

int fail(const About& about, const Error& error, int exit_code) {
  spdlog::error("{}", error.message);
  spdlog::default_logger()->flush();  // Not shutdown(): threads of gRPC may still log.
  std::cerr << "da-" << about.name << ": " << error.message << std::endl;
  return exit_code;
}

}  // namespace

Result<std::unique_ptr<bus::Publisher>> Context::open_publisher() {
  ASSIGN_OR_RETURN(const std::string facts, config_.string("bus." + about_.name + ".facts"));
  ASSIGN_OR_RETURN(const auto images, config_.find_string("bus." + about_.name + ".images"));
  const bus::Endpoints endpoints{facts, images.value_or("")};
  auto sink = bus::bind_zmq(endpoints, credentials_.get());
  const auto in_use = [&] { return !sink && sink.error().code == Code::kAlreadyExists; };
  if (in_use()) spdlog::warn("{}; trying again for {} s", sink.error().message, kAddressWait.count());
  const MonoTime deadline = clock().now() + kAddressWait;
  while (in_use() && clock().now() < deadline && !wait_for_stop(parent_, kBetweenTries)) {
    sink = bus::bind_zmq(endpoints, credentials_.get());
  }
  if (!sink) return sink.error();
  auto publisher = std::make_unique<bus::Publisher>(
      *std::move(sink), bus::Writer{about_.name, desktop_id_, origin_of(desktop_id_)}, clock());
  published_ = publisher->ring();
  return publisher;
}

Result<rpc::Channel> Context::channel_to(const std::string& service) {
  ASSIGN_OR_RETURN(const std::string address, config_.string("endpoints." + service));
  ASSIGN_OR_RETURN(const auto role, identity::parse_role(service));
  const auto lost = keeps_connections() ? rpc::Channel::Lost::kForGood : rpc::Channel::Lost::kConnectsAgain;
  return channels_.emplace_back(role, address, credentials_.get(), lost);
}

Result<std::optional<std::string>> Context::take_secret() { return parent_.take_secret(); }

bool Context::must_stop() const { return wait_for_stop(parent_, Milliseconds(0)).has_value(); }

Result<void> Context::keep_connections() {
  const MonoTime deadline = clock().now() + kConnectTimeout;
  for (const rpc::Channel& channel : channels_) {
    while (!channel.connect()) {
      if (must_stop()) return ok();
      if (clock().now() < deadline) continue;
      return Error{Code::kUnavailable, channel.peer() + " cannot be reached at " + channel.address()};
    }
  }
  return os::forbid_new_unix_sockets();
}

Result<std::filesystem::path> state_directory(const Config& config, const std::string& service) {
  ASSIGN_OR_RETURN(const auto configured, config.find_path(service + ".state"));
  const std::filesystem::path path = configured.value_or(os::state_directory() / service);
  RETURN_IF_ERROR(os::make_private_directory(path));
  return path;
}

Result<std::filesystem::path> Context::state_directory() const {
  return service::state_directory(config_, about_.name);
}

Result<std::unique_ptr<halt::HaltListener>> Context::listen_for_halts(const std::string& method, halt::Halt halt) {
  ASSIGN_OR_RETURN(const std::string address, config_.string("endpoints." + about_.name));
  auto listener = halt::HaltListener::listen(address, method, credentials_.get(), *clock_, std::move(halt));
  if (listener) return listener;
  spdlog::warn("halts come by calls alone, and not by datagrams: {}", listener.error().message);
  return std::unique_ptr<halt::HaltListener>();
}

Result<void> Context::serve(const std::vector<grpc::Service*>& services, const std::function<Properties()>& describe,
                            const std::function<void()>& before_stop) {
  ASSIGN_OR_RETURN(const std::string address, config_.string("endpoints." + about_.name));
  ServiceInfoRpc info({about_.name, desktop_id_, config_.toml()}, describe, published_);
  std::vector<grpc::Service*> all = services;
  all.push_back(&info);
  ASSIGN_OR_RETURN(const auto server, rpc::Server::listen(address, all, credentials_.get()));
  if (keeps_connections()) RETURN_IF_ERROR(keep_connections());
  if (about_.needs) RETURN_IF_ERROR(os::forbid_new_watches());
  spdlog::info("serving at {}", address);
  parent_.report_ready();
  os::FreedMemory freed_memory;
  std::optional<StopReason> reason;
  while (!reason) {
    reason = wait_for_stop(parent_, kGiveBackEvery);
    freed_memory.give_back();
  }
  end_process_within(kStopWithin);
  spdlog::info("stopping: {}", reason == StopReason::kRequest ? "signal" : "the parent process ended");
  before_stop();
  server->stop();
  return ok();
}

int run(int argc, char** argv, const About& about, const std::function<Result<void>(Context&)>& service_main) {
  Flags flags;
  Parent parent;
  if (const int exit_code = parse_flags(argc, argv, about, flags, parent); exit_code >= 0) return exit_code;
  if (auto done = prepare_service_process(about.name); !done) return fail(about, done.error(), kExitFailed);
  auto config = Config::load(path_of(flags.config));
  if (!config) return fail(about, config.error(), kExitUsage);
  if (auto made = make_socket_directories(*config, about.name); !made) return fail(about, made.error(), kExitFailed);
  if (about.needs) {
    if (auto done = confine_service(about, *config); !done) return fail(about, done.error(), kExitFailed);
  }
  rpc::prepare_process([](const char* line) { spdlog::info("gRPC: {}", line); });
  if (auto started = start_logging(about.name, *config, flags.log_level); !started) {
    return fail(about, started.error(), kExitUsage);
  }
  if (about.needs && os::landlock_version() == 0) {
    spdlog::warn("this kernel has no Landlock, so da-{} can read all files of its user", about.name);
  }
  if (about.needs && os::started_by_root()) spdlog::info("da-{} was {}", about.name, kStaysRoot);
  auto desktop_id = config->string("desktop");
  if (!desktop_id) return fail(about, desktop_id.error(), kExitUsage);
  auto clock = open_clock(*config);
  if (!clock) return fail(about, clock.error(), kExitUsage);
  const auto role = identity::parse_role(about.name);
  if (!role) return fail(about, role.error(), kExitUsage);
  auto handed_over = parent.take_identity();
  if (!handed_over) return fail(about, handed_over.error(), kExitUsage);
  auto credentials = LiveCredentials::open(*config, *role, *std::move(handed_over));
  if (!credentials) return fail(about, credentials.error(), kExitUsage);
  Context context(about, *std::move(config), *std::move(credentials), *std::move(desktop_id), *std::move(clock),
                  parent);
  const auto result = service_main(context);
  if (!result) return fail(about, result.error(), kExitFailed);

  if (parent.is_gone()) {
    std::error_code ignored;  // Sibling services remove it too.
    std::filesystem::remove_all(path_of(flags.config).parent_path(), ignored);
  }
  spdlog::info("stopped");
  spdlog::default_logger()->flush();  // Not shutdown(): threads of gRPC may still log.
  return 0;
}

}  // namespace da::service
