// The commands of da-console. Each returns its exit code and says on stderr what went wrong. Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/console/goal_text.h"
#include "services/console/session/embedded_config.h"

namespace da::console {

enum class Format { kLines, kJson };

// How much people are shown of a goal.
enum class Detail {
  kUsual,    // A line a sentence where stdout is a terminal, else each fact.
  kQuiet,    // Questions and the result.
  kVerbose,  // Each fact.
};
inline Detail detail_of(bool quiet, bool verbose) {
  return quiet ? Detail::kQuiet : verbose ? Detail::kVerbose : Detail::kUsual;
}

struct GoalOptions {
  std::string goal;  // As written, with comments and variables.
  Variables variables;
  std::filesystem::path config;  // Empty: start the services embedded.
  std::string backend = "x11";   // Embedded only.
  std::string rules;             // Embedded only; empty: the shipped ones.
  std::string log_level;         // Embedded only.
  std::string secrets;           // Embedded only; empty: none.
  std::string masks;             // Embedded only; empty: none.
  std::string journal;           // Embedded only: of what the fake desktop receives; empty: none.
  Format format = Format::kLines;
  Detail detail = Detail::kUsual;
  bool dry_run = false;
  bool unlock_writes = false;
  Milliseconds approval_expiry{0};         // 0: the services' default. Of a model's questions too, where embedded.
  Milliseconds time_limit{0};              // 0: the planner's default.
  std::vector<std::string> allowed_tools;  // Empty: all that the rules allow.
  std::uint32_t max_steps = 0;             // These: 0: the policy's default.
  std::uint32_t max_steps_per_second = 0;
  std::uint32_t max_characters = 0;
  std::uint32_t max_launches = 0;
  std::string planner;                           // Empty: the planner's own choice.
  std::string model;                             // Likewise.
  EmbeddedModels models;                         // Embedded only.
  std::uint32_t suggestions = 0;                 // So many single suggestions of a model instead of plans; 0: plans.
  std::vector<std::string> regions;              // "NAME=X,Y,WIDTH,HEIGHT": the pictures that suggestions are made on.
  std::vector<std::string> suggestible_actions;  // Empty: all.
  bool confirm_suggestions = true;
  std::string notify;  // Embedded only: the program that tells people about questions; empty: none.
};

int run_goal(const GoalOptions& options);

struct ElementsOptions {
  std::filesystem::path config;  // Empty: the newest embedded run, else services of its own.
  std::string backend = "x11";   // Of services of its own.
  std::string title;             // Only of windows whose title contains it; empty: all.
  bool pick = false;             // Only what is under the pointer.
  Format format = Format::kLines;
};
int show_elements(const ElementsOptions& options);

// config may be empty: the newest embedded run.
int show_status(const std::filesystem::path& config, Format format);
int watch(const std::filesystem::path& config, Format format);
int attach(const std::filesystem::path& config, Format format);
int list_pending(const std::filesystem::path& config, Format format);

struct ApproveOptions {
  std::string approval_id;
  std::string code;  // Of the second factor.
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

// To a question of a model.
int answer(const std::filesystem::path& config, const std::string& question_id, const std::string& text);

// tool may be empty: the same as before. arguments is a JSON object, in desktop pixels.
int edit(const std::filesystem::path& config, const std::string& approval_id, const std::string& tool,
         const std::string& arguments);
// 0: without that bound.
int unlock(const std::filesystem::path& config, Milliseconds duration, std::uint32_t steps);
int lock(const std::filesystem::path& config);
// Done where the actuator has stopped, whoever told it so. Without a config: of every run that lives here.
int halt(const std::filesystem::path& config, const std::string& reason);
// Done where nothing begins any more: the policy or the actuator has paused.
int pause(const std::filesystem::path& config, const std::string& reason);
// Ends both.
int resume(const std::filesystem::path& config);

enum class ToolsFormat { kTable, kJson, kMarkdown };
int list_tools(ToolsFormat format);

struct DoctorOptions {
  Format format = Format::kLines;
  std::string planner_config;  // Path of a planner's configuration; empty: none.
  std::string planner;         // As a goal has them; may be empty.
  std::string model;
  std::string base_url;
  bool ask = false;  // Ask the model a question, which may cost money.
};
int run_doctor(const DoctorOptions& options);

struct InitOptions {
  std::filesystem::path directory;
  std::vector<std::string> hosts;  // "policy,observer=10.0.0.3"; empty: this machine alone.
  std::string backend = "x11";
  std::string rules;  // Empty: the shipped ones.
  bool force = false;
};
int init_deployment(const InitOptions& options);
int list_keys(const std::filesystem::path& directory, Format format);
int rotate_keys(const std::filesystem::path& directory, const std::string& name);
int revoke_keys(const std::filesystem::path& directory, const std::string& name);

// `policy check|explain|test` ("rules"), `enroll` and `audit show|verify|export`: da-policy does that itself, called
// with this word, and takes over this process.
int run_policy_command(const std::string& word, const std::vector<std::string>& arguments);

}  // namespace da::console
