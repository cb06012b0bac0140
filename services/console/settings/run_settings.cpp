#include "services/console/settings/run_settings.h"

#include <algorithm>
#include <iostream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/process/environment.h"
#include "services/console/duration.h"
#include "services/console/session/service_environment.h"

namespace da::console {
namespace {

constexpr const char* kLeastVerbose = "info";

// The levels of APP_ENV.
struct Levels {
  const char* file;
  const char* console;
};
Levels levels_of(std::string_view app_environment) {
  if (app_environment == "development") return {"debug", "info"};
  if (app_environment == "testing") return {"debug", "warning"};
  return {"info", "error"};
}

const ResolvedSetting& find(const ResolvedSettings& settings, std::string_view name) {
  return *std::ranges::find(settings, name, [](const auto& each) { return std::string_view(each.setting->name); });
}

template <class T>
const T* given(const ResolvedSettings& settings, std::string_view name) {
  const auto& value = find(settings, name).value;
  return value ? std::get_if<T>(&*value) : nullptr;
}

Result<void> check_cost(const ResolvedSettings& settings) {
  if (given<double>(settings, "budget_money") == nullptr) return ok();
  const auto* prices = given<std::vector<std::string>>(settings, "prices");
  if (prices != nullptr && !prices->empty()) return ok();
  return Error{Code::kInvalidArgument,
               "a maximum cost (--max-cost, budget_money) needs a price: add --price "
               "\"MODEL INPUT CACHED OUTPUT\", or set prices"};
}

// Values of flags and variables begin at the working directory; those of the file are absolute already.
SettingValue placed(const Setting& setting, const SettingValue& value) {
  if (setting.kind != SettingKind::kPath) return value;
  return text_of(std::filesystem::absolute(path_of(std::get<std::string>(value))));
}

void apply_to_planner(const ResolvedSetting& resolved, const char* key, GoalOptions& options) {
  const std::string_view name = resolved.setting->name;
  EmbeddedOptions& embedded = options.embedded;
  const bool named_by_task = name == "planner" || name == "model";
  const bool read_by_planner = named_by_task || name == "base_url";
  // The planner itself reads these variables, and says in its first line that they decided.
  if (read_by_planner && resolved.source == SettingSource::kEnvironment) return;
  if (read_by_planner) embedded.environment.removed.insert(variable_of(*resolved.setting));
  if (!resolved.value) return;
  embedded.planner.push_back({key, to_toml(placed(*resolved.setting, *resolved.value))});
  if (named_by_task && resolved.source == SettingSource::kFlag) {
    (name == "planner" ? options.planner : options.model) = std::get<std::string>(*resolved.value);
  }
}

void apply_logs(const ResolvedSettings& settings, GoalOptions& options) {
  const auto* environment = given<std::string>(settings, "app_env");
  const Levels levels = levels_of(environment == nullptr ? "" : *environment);
  EmbeddedLogs& logs = options.embedded.logs;
  logs.level = levels.file;
  logs.console = levels.console;
  if (options.detail == Detail::kVerbose) logs.console = kLeastVerbose;
  if (const auto* level = given<std::string>(settings, "log_level")) logs.level = *level;
  if (const auto* console = given<std::string>(settings, "log_console")) logs.console = *console;
  const ResolvedSetting& file = find(settings, "log_file");
  if (file.value) logs.file = std::get<std::string>(placed(*file.setting, *file.value));
  if (const auto* files = given<bool>(settings, "log_files")) logs.files = *files;
  // Its value is in the configuration now.
  options.embedded.environment.removed.insert(variable_of(*find_setting("log_level")));
}

void apply_one(const ResolvedSetting& resolved, GoalOptions& options) {
  const SettingTarget& target = resolved.setting->target;
  if (const auto* key = std::get_if<PlannerKey>(&target)) return apply_to_planner(resolved, key->key, options);
  if (!resolved.value) return;
  if (const auto* count = std::get_if<std::uint32_t GoalOptions::*>(&target)) {
    options.*(*count) = static_cast<std::uint32_t>(std::get<std::int64_t>(*resolved.value));
  } else if (const auto* duration = std::get_if<Milliseconds GoalOptions::*>(&target)) {
    const auto parsed = parse_duration(std::get<std::string>(*resolved.value));
    if (parsed) options.*(*duration) = *parsed;
  }
}

// Anybody may have prepared a directory with a .env file, and a key must not choose who is shown the desktop. So such a
// key is used only after a person has named its provider.
bool only_a_file_names_a_provider(const RunSettings& run) {
  if (find(run.settings, "planner").value) return false;
  const auto is_in_environment = [](std::string_view key) {
    return !os::environment_variable(std::string(key)).value_or("").empty();
  };
  if (std::ranges::any_of(kModelKeys, is_in_environment)) return false;
  return std::ranges::any_of(run.taken.variables, [](const auto& variable) { return is_model_key(variable.first); });
}

// Files that are refused are bad usage, not a denial of the policy.
Error bad_input(const Error& error) { return {Code::kInvalidArgument, error.message}; }

Result<RunSettings> read_inputs(const GivenFlags& flags, DotenvFiles dotenv, const std::filesystem::path& profile) {
  RunSettings run;
  if (dotenv == DotenvFiles::kRead) {
    std::vector<std::filesystem::path> directories = {"."};
    if (!profile.empty()) directories.push_back(profile.parent_path());
    ASSIGN_OR_RETURN(run.taken, read_environment_files(directories, [](const std::string& name) {
                       return os::environment_variable(name).has_value();
                     }));
  }
  const auto lookup = [&](const std::string& name) -> std::optional<Variable> {
    if (auto value = os::environment_variable(name)) {
      return value->empty() ? std::nullopt : std::optional(Variable{*std::move(value), ""});
    }
    const auto found = run.taken.variables.find(name);
    return found == run.taken.variables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto file = settings_file();
  ASSIGN_OR_RETURN(auto values, read_settings_file(file));
  ASSIGN_OR_RETURN(run.settings, resolve_settings({flags, lookup, std::move(values), text_of(file)}));
  return run;
}

}  // namespace

Result<RunSettings> read_run_settings(const GivenFlags& flags, DotenvFiles dotenv,
                                      const std::filesystem::path& profile) {
  auto run = read_inputs(flags, dotenv, profile);
  if (!run) return bad_input(run.error());
  return run;
}

Result<void> apply_settings(const RunSettings& run, GoalOptions& options) {
  RETURN_IF_ERROR(check_cost(run.settings));
  for (const ResolvedSetting& resolved : run.settings) apply_one(resolved, options);
  apply_logs(run.settings, options);
  for (const auto& [name, variable] : run.taken.variables) {
    if (is_model_key(name)) options.embedded.environment.model_keys.emplace(name, variable.value);
  }
  return ok();
}

Result<GoalOptions> task_options(const GoalFlags& flags, const std::filesystem::path& config,
                                 const std::filesystem::path& profile) {
  GoalOptions options = flags.options;
  options.config = config;
  options.detail = detail_of(flags.quiet, flags.verbose);
  RunSettings run;
  if (config.empty()) {
    const auto dotenv = flags.no_env_file ? DotenvFiles::kIgnore : DotenvFiles::kRead;
    ASSIGN_OR_RETURN(run, read_run_settings(flags.settings, dotenv, profile));
  } else {
    const auto nothing = [](const std::string&) { return std::optional<Variable>(); };
    ASSIGN_OR_RETURN(run.settings, resolve_settings({flags.settings, nothing, {}, ""}));
  }
  for (const std::string& note : run.taken.notes) std::cerr << "da-console: " << note << std::endl;
  RETURN_IF_ERROR(apply_settings(run, options));
  if (profile.empty() && only_a_file_names_a_provider(run)) {
    options.embedded.planner.push_back({"planner", to_toml(SettingValue(std::string("plain")))});
    std::cerr << "da-console: a key from a .env file is used once you name its provider: --planner or DA_PLANNER"
              << std::endl;
  }
  return options;
}

Result<GoalOptions> doctor_task_options(GoalFlags flags, const DoctorOptions& doctor) {
  const std::pair<const char*, const std::string&> own[] = {
      {"planner", doctor.planner}, {"model", doctor.model}, {"base_url", doctor.base_url}};
  for (const auto& [name, value] : own) {
    if (!value.empty()) flags.settings[name] = {value};
  }
  return task_options(flags, {});
}

}  // namespace da::console
