// init, keys: make and change a deployment on disk, without any service.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/identity/certificate.h"
#include "lib/os/files/files.h"
#include "services/console/commands/commands.h"
#include "services/console/deployment/deployment.h"
#include "services/console/deployment/host_config.h"
#include "services/console/exit_codes.h"
#include "services/console/session/given_files.h"

namespace da::console {
namespace {

using identity::Role;

constexpr std::chrono::days kWarnBefore{30};

std::string date_of(WallTime time) { return format_wall(time).substr(0, 10); }

std::int64_t days_left(WallTime until, WallTime now) {
  return std::chrono::floor<std::chrono::days>(until - now).count();
}

std::string place_of(const Machine& machine) {
  return machine.name + (machine.address.empty() ? "" : " (" + machine.address + ")");
}

// The actuator is a systemd user service, the others are system services.
std::string restart_commands(const Machine& machine) {
  std::string system;
  std::string user;
  for (const Role role : machine.roles) {
    if (role == Role::kConsole) continue;
    std::string& restart = role == Role::kActuator ? user : system;
    const std::string scope = role == Role::kActuator ? "--user " : "";
    if (restart.empty()) restart = "  then: systemctl " + scope + "restart";
    restart += " da-" + std::string(to_string(role));
  }
  return system + (system.empty() ? "" : "\n") + user + (user.empty() ? "" : "\n");
}

// A service reloads peers.toml by itself, but reads its identity only at the start.
void print_deliveries(const std::vector<Delivery>& deliveries) {
  for (const auto& [machine, files] : deliveries) {
    std::cout << "copy to " << place_of(machine) << " and replace the old files:\n";
    for (const auto& file : files) std::cout << "  " << file.string() << "\n";
    const auto is_identity = [](const auto& file) { return file.filename() != "peers.toml"; };
    const std::string restarts = std::ranges::any_of(files, is_identity) ? restart_commands(machine) : "";
    if (!restarts.empty()) {
      std::cout << restarts;
    } else {
      std::cout << "  no restart is needed\n";
    }
  }
}

void print_made(const std::filesystem::path& directory, const Register& record) {
  std::cout << "made an authority, and keys for " << record.issued.size() << " processes on " << record.machines.size()
            << (record.machines.size() == 1 ? " machine\n" : " machines\n");
  for (const Machine& machine : record.machines) {
    std::cout << "  " << (directory / machine.name).string() << "/";
    if (!machine.address.empty()) std::cout << "  for " << machine.address;
    std::cout << "\n";
  }
  std::cout << "Copy each machine's directory unchanged to that machine only: it holds the machine's private keys\n"
               "(mode 0600, in a directory of mode 0700).\n"
            << (directory / "ca").string()
            << "/ holds the authority's key: with it, anyone can pose as any service. Keep it off\n"
            << "the machines, for example on a disk in a safe; `da-console keys` needs it.\n"
            << "The keys end on " << date_of(record.issued.front().certificate.not_after) << ": da-console keys list "
            << directory.string() << "\n";
}

nlohmann::ordered_json to_json(const Issued& one) {
  return {{"role", to_string(one.certificate.role)},
          {"name", one.certificate.name},
          {"machine", identity::machine_of(one.certificate.name)},
          {"expires", format_wall(one.certificate.not_after)},
          {"revoked", one.revoked},
          {"fingerprint", one.certificate.fingerprint}};
}

void print_row(const Issued& one, WallTime now) {
  const std::int64_t days = days_left(one.certificate.not_after, now);
  const std::string state = one.revoked ? "revoked" : days < 0 ? "EXPIRED" : std::to_string(days) + " days";
  std::cout << std::left << std::setw(10) << to_string(one.certificate.role) << std::setw(28) << one.certificate.name
            << std::setw(20) << identity::machine_of(one.certificate.name) << std::setw(12)
            << date_of(one.certificate.not_after) << std::setw(12) << state << one.certificate.fingerprint << "\n";
}

// On stderr, so that a person sees it even if a program reads the list.
void warn_of_expiry(const std::filesystem::path& directory, const Register& record, WallTime now) {
  for (const Issued& one : record.issued) {
    if (one.revoked || one.certificate.not_after - now > kWarnBefore) continue;
    std::cerr << one.certificate.name << (one.certificate.not_after < now ? " expired on " : " expires on ")
              << date_of(one.certificate.not_after) << ": da-console keys rotate " << directory.string() << " "
              << one.certificate.name << "\n";
  }
  const auto authority = identity::expiry_of(record.ca_pem);
  if (authority && *authority - now <= kWarnBefore) {
    std::cerr << "the authority itself expires on " << date_of(*authority)
              << ": da-console init --force makes a new one\n";
  }
}

}  // namespace

int init_deployment(const InitOptions& options) {
  ASSIGN_OR_REPORT(const auto layout, parse_layout(options.hosts, options.backend, os::runtime_directory()));
  ASSIGN_OR_REPORT(const auto rules, find_rules(options.rules));
  const Existing existing = options.force ? Existing::kOverwrite : Existing::kKeep;
  ASSIGN_OR_REPORT(const auto deployment,
                   Deployment::create(options.directory, layout, rules, existing, system_clock().wall_now()));
  print_made(options.directory, deployment.record());
  return kDone;
}

int list_keys(const std::filesystem::path& directory, Format format) {
  ASSIGN_OR_REPORT(const auto deployment, Deployment::open(directory));
  const WallTime now = system_clock().wall_now();
  if (format == Format::kLines) {
    std::cout << std::left << std::setw(10) << "role" << std::setw(28) << "name" << std::setw(20) << "machine"
              << std::setw(12) << "expires" << std::setw(12) << "state"
              << "fingerprint (SHA-256)\n";
  }
  for (const Issued& one : deployment.record().issued) {
    if (format == Format::kJson) {
      std::cout << to_json(one).dump() << "\n";
    } else {
      print_row(one, now);
    }
  }
  std::cout << std::flush;
  warn_of_expiry(directory, deployment.record(), now);
  return kDone;
}

int rotate_keys(const std::filesystem::path& directory, const std::string& name) {
  ASSIGN_OR_REPORT(auto deployment, Deployment::open(directory));
  ASSIGN_OR_REPORT(const auto deliveries, deployment.rotate(name, system_clock().wall_now()));
  std::cout << name << " has a new certificate and a new key; the old ones are revoked\n";
  print_deliveries(deliveries);
  return kDone;
}

int revoke_keys(const std::filesystem::path& directory, const std::string& name) {
  ASSIGN_OR_REPORT(auto deployment, Deployment::open(directory));
  ASSIGN_OR_REPORT(const auto deliveries, deployment.revoke(name, system_clock().wall_now()));
  std::cout << name << " is revoked as soon as these files are in place\n";
  print_deliveries(deliveries);
  return kDone;
}

}  // namespace da::console
