#include "services/console/command_line/goal_flags.h"

#include <algorithm>
#include <array>
#include <limits>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "services/console/duration.h"
#include "services/console/settings/setting_value.h"

namespace da::console {
namespace {

constexpr const char* kGoal = "Goal";
constexpr const char* kPlanner = "Planner";
constexpr const char* kSafety = "Safety";
constexpr const char* kOutput = "Output";
constexpr const char* kOwnServices = "Services that the goal starts (without --config)";

// Configure the services that a goal starts, beside the settings (settings/setting.h).
constexpr std::array kEmbeddedOnly = {"--desktop", "--rules",   "--secrets",      "--masks",
                                      "--notify",  "--journal", "--no-recording", "--no-env-file"};
// Say what to do, or who decides it; a script's commands do both. And stdout has the answers.
constexpr std::array kGoalOnly = {"--set",     "--dry-run",     "--suggest", "--region",
                                  "--actions", "--unconfirmed", "--json"};
// Say who decides; the rules of a profile do.
constexpr std::array kPlannerOnly = {"--suggest", "--region", "--actions", "--unconfirmed"};
constexpr std::array kExclusive = {std::pair{"--goal", "--goal-file"}, std::pair{"--text-only", "--overlay"},
                                   std::pair{"--quiet", "--verbose"}, std::pair{"--quiet", "--json"},
                                   std::pair{"--verbose", "--json"}};
constexpr std::array kMayBeRepeated = {"--region", "--actions", "--allow-tools", "--set", "--price"};
constexpr const char* kSuggest = "--suggest";

void add_goal(CLI::App& app, GoalFlags& flags) {
  app.add_option("--goal", flags.options.goal,
                 "what to do, as sentences separated by ';': open APP; type \"TEXT\" [into \"FIELD\"]; press ctrl+s;\n"
                 "click \"TARGET\"; check \"TEXT\" is visible; close \"TITLE\" ... (da-console sentences lists them)")
      ->group(kGoal)
      ->check(utf8_text());
  app.add_option("--goal-file", flags.goal_file,
                 "read the goal from this file (- for stdin); lines that begin with # are comments")
      ->group(kGoal)
      ->type_name("FILE");
  app.add_option("--set", flags.variables, "replace {{NAME}} in the goal by VALUE; repeatable")
      ->group(kGoal)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(utf8_text());
  app.add_flag("--dry-run", flags.options.dry_run, "show plan, targets and verdicts; execute nothing")->group(kGoal);
  app.add_flag("--proven", flags.options.require_proof,
               "fail at the first step that was carried out without a proof of its effect")
      ->group(kGoal);
}

void add_suggestions(CLI::App& app, GoalOptions& options) {
  auto* suggest = app.add_option("--suggest", options.suggestions,
                                 "ask a model for up to N single actions instead of plans; you confirm each");
  suggest->group(kPlanner)->check(CLI::Range(1U, 50U))->type_name("N");
  app.add_option("--region", options.regions,
                 "with --suggest: show the model only this part of the desktop; repeatable")
      ->group(kPlanner)
      ->type_name("NAME=X,Y,WIDTH,HEIGHT")
      ->needs(suggest);
  app.add_option("--actions", options.suggestible_actions,
                 "with --suggest: the only allowed actions: CLICK_DESCRIBED_ELEMENT,\n"
                 "TYPE_IN_DESCRIBED_FIELD, PRESS_KEY_SIMPLE, WAIT_SHORT, CHECK_ELEMENT_PROPERTY")
      ->group(kPlanner)
      ->delimiter(',')
      ->type_name("ACTION,...")
      ->needs(suggest);
  app.add_flag("!--unconfirmed", options.confirm_suggestions,
               "with --suggest: ask you only about steps that the policy asks about")
      ->group(kPlanner)
      ->needs(suggest);
}

// Checks a flag's text as the settings file is checked.
CLI::Validator setting_value(const Setting& setting) {
  const auto check = [&setting](const std::string& text) {
    const auto value = parse_value(setting, text);
    return value ? std::string() : value.error().message;
  };
  return CLI::Validator(check, "");
}

std::string help_of(const Setting& setting) {
  constexpr std::size_t kLongestLine = 90;
  if (setting.flag_meaning != nullptr) return setting.flag_meaning;
  std::string help = setting.meaning;
  if (setting.kind == SettingKind::kSwitch) return help;
  const std::string initial = "(default: " + std::string(setting.initial) + ")";
  const std::size_t last_line = help.size() - (help.rfind('\n') + 1);  // npos + 1 is 0.
  help += last_line + initial.size() < kLongestLine ? " " : "\n";
  return help + initial;
}

void add_settings(CLI::App& app, GivenFlags& given) {
  for (const Setting& setting : all_settings()) {
    std::vector<std::string>& into = given[setting.name];
    if (setting.kind == SettingKind::kSwitch) {
      const auto take = [&into, &setting] { into = {setting.value}; };
      app.add_flag_callback(setting.flag, take, help_of(setting))->group(setting.group);
      continue;
    }
    CLI::Option* option = nullptr;
    if (setting.kind == SettingKind::kTexts) {
      option = app.add_option(setting.flag, into, help_of(setting))->allow_extra_args(false);
    } else {
      const auto take = [&into](const std::string& text) { into = {text}; };
      option = app.add_option_function<std::string>(setting.flag, take, help_of(setting));
    }
    option->group(setting.group)->type_name(setting.value)->check(setting_value(setting));
  }
}

void add_safety(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--unlock-writes", flags.options.unlock_writes,
               "open the write lock for this task; critical steps still need an approval")
      ->group(kSafety);
  app.add_option("--allow-tools", flags.options.allowed_tools, "the only tools that the task may use (default: all)")
      ->group(kSafety)
      ->check(known_tool())
      ->delimiter(',')
      ->type_name("TOOL,...");
  EmbeddedOptions& embedded = flags.options.embedded;
  app.add_option("--rules", embedded.rules, "the policy's rule file (default: the shipped one)")->group(kSafety);
  app.add_option("--secrets", embedded.secrets, "the actuator's secrets file, for {{secret:NAME}} in what is typed")
      ->group(kSafety);
  app.add_option("--masks", embedded.masks, "the actuator's masks file: parts of the screen to hide")->group(kSafety);
}

void add_services(CLI::App& app, EmbeddedOptions& options) {
  app.add_option("--desktop", options.backend, "x11, or fake: a small desktop in memory")
      ->group(kOwnServices)
      ->check(CLI::IsMember({"x11", "fake"}));
  app.add_option("--journal", options.journal, "append all input to the fake desktop to this file")
      ->group(kOwnServices);
  app.add_option("--notify", options.notify,
                 "run this program for each question, with the question in the environment\n"
                 "variable DESKTOPASSIST_QUESTION")
      ->group(kOwnServices);
  app.add_flag_callback(
         "--no-recording", [&options] { options.recorded = false; },
         "do not record the task (default: a file of all facts and screenshots, in\n"
         "~/.local/state/desktopassist/recorder/recordings)")
      ->group(kOwnServices);
}

void add_env_file(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--no-env-file", flags.no_env_file,
               "ignore the files .env in the working directory and beside a profile (default: a key\n"
               "of a model provider and APP_ENV are taken from them)")
      ->group(kOwnServices);
}

void add_output(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--quiet", flags.quiet, "show only questions and the result")->group(kOutput);
  app.add_flag("-v,--verbose", flags.verbose,
               "show every fact, as if stdout were not a terminal, and log lines of the services on stderr")
      ->group(kOutput);
}

bool is_given(const CLI::App& app, const char* flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

bool is_for_models(const Setting& setting) {
  return setting.concerns == Concerns::kModel || setting.concerns == Concerns::kDecision;
}

bool names_decider(const Setting& setting) {
  const std::string_view name = setting.name;
  return name == "planner" || name == "model";
}

// The first given flag of the list, or of a setting that `concerned` selects.
template <class Flags, class Concerned>
std::optional<std::string> first_given(const CLI::App& app, const Flags& flags, const Concerned& concerned) {
  for (const char* flag : flags) {
    if (is_given(app, flag)) return flag;
  }
  for (const Setting& setting : all_settings()) {
    if (concerned(setting) && is_given(app, setting.flag)) return setting.flag;
  }
  return std::nullopt;
}

// Empty if the flag was not given.
std::string text_given(const GoalFlags& flags, std::string_view setting) {
  const auto found = flags.settings.find(setting);
  return found == flags.settings.end() || found->second.empty() ? "" : found->second.back();
}

// CLI11 itself takes the last value, or reports one value that is too long.
std::optional<std::string> given_twice(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name == "--json" || std::ranges::find(kMayBeRepeated, name) != kMayBeRepeated.end()) continue;
    if (option->count() > 1) return name + " is given " + std::to_string(option->count()) + " times; give it once";
  }
  return std::nullopt;
}

}  // namespace

CLI::Validator utf8_text() {
  const auto check = [](const std::string& text) { return std::string(is_valid_utf8(text) ? "" : "is not UTF-8"); };
  return CLI::Validator(check, "");
}

CLI::Validator known_tool() {
  const auto check = [](const std::string& tool) {
    const auto names = contract::names_in(v1::DIALECT_STEPS);
    if (std::ranges::find(names, tool) != names.end()) return std::string();
    return "there is no tool " + quote_foreign(tool, 60) + did_you_mean(tool, names) +
           "; `da-console tools` lists them";
  };
  return CLI::Validator(check, "");
}

CLI::Validator milliseconds() {
  const auto transform = [](std::string& text) {
    const auto duration = parse_duration(text);
    if (!duration) return duration.error().message;
    text = std::to_string(duration->count());
    return std::string();
  };
  return CLI::Validator(transform, "");
}

CLI::Validator at_least_one() { return CLI::Range(1U, std::numeric_limits<std::uint32_t>::max()).description(""); }

void add_goal_flags(CLI::App& app, GoalFlags& flags) {
  add_goal(app, flags);
  add_settings(app, flags.settings);
  add_suggestions(app, flags.options);
  add_safety(app, flags);
  add_services(app, flags.options.embedded);
  add_env_file(app, flags);
  add_output(app, flags);
  for (CLI::Option* option : app.get_options()) {
    if (std::ranges::find(kMayBeRepeated, option->get_name()) == kMayBeRepeated.end()) option->take_last();
  }
}

bool has_goal(const CLI::App& app) { return is_given(app, "--goal") || is_given(app, "--goal-file"); }

std::optional<std::string> contradiction(const CLI::App& app, const GoalFlags& flags) {
  if (auto twice = given_twice(app)) return twice;
  for (const auto& [one, other] : kExclusive) {
    if (is_given(app, one) && is_given(app, other)) return std::string(one) + " and " + other + " exclude each other";
  }
  if (is_given(app, "--config")) {
    // A task names its planner and model to any service.
    const auto own = [](const Setting& setting) {
      return setting.concerns != Concerns::kEveryTask && !names_decider(setting);
    };
    if (const auto flag = first_given(app, kEmbeddedOnly, own)) {
      return *flag + " is for services that a goal starts itself; the services of --config have " +
             "configurations of their own, so set it there";
    }
  }
  const std::string planner = text_given(flags, "planner");
  if (planner == "plain") {
    const auto of_model = [](const Setting& setting) {
      return is_for_models(setting) && std::string_view(setting.name) != "planner" &&
             std::string_view(setting.name) != "base_url";
    };
    if (const auto flag = first_given(app, std::array{kSuggest}, of_model)) {
      return *flag + " needs a model, and --planner plain has none";
    }
  }
  if (is_given(app, "--model-calls") && is_given(app, "--planner") && planner != "recorded") {
    return "--model-calls needs --planner recorded";
  }
  if (is_given(app, "--journal") && flags.options.embedded.backend != "fake") return "--journal needs --desktop fake";
  return std::nullopt;
}

std::optional<std::string> stdio_contradiction(const CLI::App& app, const GoalFlags& flags) {
  if (const auto flag = first_given(app, kGoalOnly, is_for_models)) {
    return *flag + " is for a goal; `stdio` takes its steps from stdin";
  }
  return contradiction(app, flags);
}

std::optional<std::string> run_contradiction(const CLI::App& app, const GoalFlags& flags) {
  const auto decides = [](const Setting& setting) { return setting.concerns == Concerns::kDecision; };
  if (const auto flag = first_given(app, kPlannerOnly, decides)) {
    return *flag + " is for a goal; in `run` the rules of the profile decide";
  }
  if (text_given(flags, "planner") == "plain") {
    return "--planner plain has no model; in `run` it names the provider of the models that the profile asks";
  }
  return contradiction(app, flags);
}

}  // namespace da::console
