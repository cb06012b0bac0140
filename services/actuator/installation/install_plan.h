// What `da-actuator install` changes on a Windows machine, as data: a task that starts the actuator when its user logs
// on, and a firewall rule for its ports, for TCP and UDP each. A service could not reach the desktop. Pure; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::actuator {

// The name of the task and of both firewall rules.
constexpr char kInstallationName[] = "DesktopAssist actuator";

struct Listening {
  std::string address;               // One IP address of this machine, such as "10.0.0.4".
  std::vector<std::uint16_t> ports;  // gRPC, facts, images.
};

// The address that a configuration listens at. kInvalidArgument: it has host names, several addresses, or an address
// that means all of the machine's.
Result<Listening> listening_of(const service::Config& config);

enum class Rights {
  kOfUser,   // Windows of programs that run as administrator cannot be used.
  kHighest,  // As administrator, where the user is one.
};

struct InstallPlan {
  std::string executable;  // Absolute paths.
  std::string config_file;
  std::string user;  // Who logs on: DOMAIN\name.
  Rights rights = Rights::kOfUser;
  Listening listening;
};

// The task's definition for `schtasks /XML`. A stopped actuator is not started again before the next logon, because a
// person may have stopped it by the kill switch.
std::string task_xml(const InstallPlan& plan);

// The words of one command; the first one is a program of System32.
struct SystemCommand {
  std::vector<std::string> words;
  bool may_fail = false;  // It removes what may not be there.
};

// `task_file`: a file with task_xml() in UTF-16.
std::vector<SystemCommand> install_commands(const InstallPlan& plan, const std::string& task_file);
std::vector<SystemCommand> uninstall_commands();

}  // namespace da::actuator
