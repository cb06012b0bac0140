// The commands of da-console. Each prints its errors on stderr and returns the exit code. Main thread.
#pragma once

#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/console/goal_text.h"
#include "services/console/session/embedded_config.h"

namespace da::console {

// SIGINT, SIGTERM and SIGHUP. main blocks them; commands that wait read them from a signalfd.
sigset_t stop_signals();

enum class Format { kLines, kJson };

// The output for people while a goal runs.
enum class Detail {
  kUsual,    // One line per sentence if stdout is a terminal, else each fact.
  kQuiet,    // Only questions and the result.
  kVerbose,  // Each fact.
};
inline Detail detail_of(bool quiet, bool verbose) {
  return quiet ? Detail::kQuiet : verbose ? Detail::kVerbose : Detail::kUsual;
}

struct GoalOptions {
  std::string goal;  // As written, with comments and variables.
  Variables variables;
  std::filesystem::path config;  // Empty: start the services, with these options.
  EmbeddedOptions embedded;      // Without question_expiry, which is approval_expiry.
  Format format = Format::kLines;
  Detail detail = Detail::kUsual;
  bool dry_run = false;
  bool require_proof = false;  // A step without a proof of its effect fails the task.
  bool unlock_writes = false;
  Milliseconds approval_expiry{0};         // 0 means the services' default.
  Milliseconds time_limit{0};              // 0 means the planner's default.
  std::vector<std::string> allowed_tools;  // Empty: all that the rules allow.
  std::uint32_t max_steps = 0;             // For this and the next three, 0 means the policy's default.
  std::uint32_t max_steps_per_second = 0;
  std::uint32_t max_characters = 0;
  std::uint32_t max_launches = 0;
  std::string planner;                           // Empty: the planner service chooses.
  std::string model;                             // Empty: the planner service chooses.
  std::uint32_t suggestions = 0;                 // Maximum single actions of a model instead of plans; 0: plans.
  std::vector<std::string> regions;              // "NAME=X,Y,WIDTH,HEIGHT": the images for suggestions.
  std::vector<std::string> suggestible_actions;  // Empty: all.
  bool confirm_suggestions = true;
};

int run_goal(const GoalOptions& options);

// Reads the commands of a script from stdin and writes their answers to stdout. Ignores the goal, its planner and the
// format.
int run_stdio(const GoalOptions& options);

struct RunOptions {
  GoalOptions task;  // Its goal is not used.
  std::filesystem::path profile;
  bool once = false;              // One cycle. A dry run without run_for has one, too.
  Milliseconds run_for{0};        // 0: until the time limit, or until a rule stops it.
  bool strict = false;            // Unknown keys of the profile are errors.
  bool without_pictures = false;  // The recording gets no pictures of the regions.
};
int run_profile(const RunOptions& options);

// `arguments`: the words after `profile`, which da-planner parses. The flags of `explain` that choose a desktop and a
// recording are read here, too. `backend`: for new services.
int profile(const std::filesystem::path& config, const std::string& backend, const std::vector<std::string>& arguments);

struct ElementsOptions {
  std::filesystem::path config;  // Empty: the newest embedded run, or new services if none is live.
  std::string backend = "x11";   // Used only for new services.
  std::string title;             // Only windows whose title contains this; empty: all.
  bool pick = false;             // Only the element under the pointer.
  Format format = Format::kLines;
};
int list_sentences(bool markdown);
int show_elements(const ElementsOptions& options);

// In all commands below, an empty config means the newest embedded run.
int show_status(const std::filesystem::path& config, Format format);
int watch(const std::filesystem::path& config, Format format);
int attach(const std::filesystem::path& config, Format format);
int list_pending(const std::filesystem::path& config, Format format);

struct ApproveOptions {
  std::string approval_id;
  std::string code;  // The second factor.
  bool for_task = false;
  bool propose_rule = false;
};
int approve(const std::filesystem::path& config, const ApproveOptions& options);

struct DenyOptions {
  std::string approval_id;
  std::string reason;
  bool skip = false;
  bool stop_task = false;
};
int deny(const std::filesystem::path& config, const DenyOptions& options);

// Answers a question of a model.
int answer(const std::filesystem::path& config, const std::string& question_id, const std::string& text);

// tool: empty keeps the step's tool. arguments: a JSON object, in desktop pixels.
int edit(const std::filesystem::path& config, const std::string& approval_id, const std::string& tool,
         const std::string& arguments);
// 0 means no limit.
int unlock(const std::filesystem::path& config, Milliseconds duration, std::uint32_t steps);
int lock(const std::filesystem::path& config);
// kDone if the actuator has halted. An empty config means all live embedded runs.
int halt(const std::filesystem::path& config, const std::string& reason);
// kDone if the policy or the actuator has paused, so that no step begins.
int pause(const std::filesystem::path& config, const std::string& reason);
// Ends a halt and a pause.
int resume(const std::filesystem::path& config);

enum class ToolsFormat { kTable, kJson, kMarkdown };
int list_tools(ToolsFormat format);

struct DoctorOptions {
  Format format = Format::kLines;
  std::string planner_config;  // Path of a planner's configuration; empty: `settings`.
  EmbeddedOptions settings;    // Lines of the planner and environment that a goal's planner would get.
  std::string planner;         // Means the same as in GoalOptions.
  std::string model;
  std::string base_url;
  bool ask = false;  // Call the model once, which may cost money.
};
int run_doctor(const DoctorOptions& options);

struct InitOptions {
  std::filesystem::path directory;
  std::vector<std::string> hosts;  // "policy,observer=10.0.0.3"; empty: all on this machine.
  std::string backend = "x11";
  std::string rules;  // Empty: the shipped rules.
  bool force = false;
};
int init_deployment(const InitOptions& options);
int list_keys(const std::filesystem::path& directory, Format format);
int rotate_keys(const std::filesystem::path& directory, const std::string& name);
int revoke_keys(const std::filesystem::path& directory, const std::string& name);

// Replaces this process by da-<service> with `word` as its command. Of "policy": "rules" for `policy
// check|explain|test`, "enroll" or "audit"; of "planner": "profile" (see profile()).
int run_service_command(const std::string& service, const std::string& word, const std::vector<std::string>& arguments);

}  // namespace da::console
