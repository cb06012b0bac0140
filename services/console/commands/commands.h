// The commands of da-console. Each returns its exit code and says on stderr what went wrong. Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/console/terminal/event_stream.h"

namespace da::console {

struct GoalOptions {
  std::string goal;
  std::filesystem::path config;  // Empty: start the services embedded.
  std::string backend = "x11";   // Embedded only.
  std::string rules;             // Embedded only; empty: the shipped ones.
  std::string log_level;         // Embedded only.
  Format format = Format::kLines;
  bool dry_run = false;
  bool unlock_writes = false;
  Milliseconds approval_expiry{0};  // 0: the policy's default.
  Milliseconds time_limit{0};       // 0: the planner's default.
};

int run_goal(const GoalOptions& options);

// config may be empty: the newest embedded run.
int show_status(const std::filesystem::path& config, Format format);
int watch(const std::filesystem::path& config, Format format);
int attach(const std::filesystem::path& config, Format format);
int list_pending(const std::filesystem::path& config, Format format);
int approve(const std::filesystem::path& config, const std::string& approval_id);
int deny(const std::filesystem::path& config, const std::string& approval_id, const std::string& reason);
int unlock(const std::filesystem::path& config, Milliseconds duration);
int lock(const std::filesystem::path& config);
int halt(const std::filesystem::path& config, const std::string& reason);
int resume(const std::filesystem::path& config);

enum class ToolsFormat { kTable, kJson, kMarkdown };
int list_tools(ToolsFormat format);

int run_doctor(Format format);

// `policy check|explain|test ...` (which: "rules") and `audit show|verify|export ...` ("audit"): da-policy reads its
// own files itself, and takes over this process.
int run_policy_command(const char* which, const std::vector<std::string>& arguments);

}  // namespace da::console
