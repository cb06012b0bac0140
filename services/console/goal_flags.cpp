#include "services/console/goal_flags.h"

#include <algorithm>
#include <array>
#include <limits>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "services/console/duration.h"

namespace da::console {
namespace {

constexpr const char* kGoal = "Goal";
constexpr const char* kPlanner = "Planner";
constexpr const char* kLimits = "Limits";
constexpr const char* kSafety = "Safety";
constexpr const char* kOutput = "Output";
constexpr const char* kOwnServices = "Services that the goal starts (without --config)";

// Configure the services that a goal starts.
constexpr std::array kEmbeddedOnly = {
    "--desktop",   "--rules",      "--secrets",          "--masks",       "--log-level", "--notify",
    "--journal",   "--base-url",   "--save-model-calls", "--model-calls", "--overlay",   "--text-only",
    "--max-turns", "--max-tokens", "--max-calls",        "--max-cost",    "--price",     "--no-recording"};
// Apply only to planners with a model.
constexpr std::array kModelOnly = {"--model",       "--overlay",   "--text-only",  "--suggest",   "--save-model-calls",
                                   "--model-calls", "--max-turns", "--max-tokens", "--max-calls", "--max-cost",
                                   "--price"};
// Say what to do, or who decides it; a script's commands do both. And stdout has the answers.
constexpr std::array kGoalOnly = {"--set",         "--dry-run",   "--planner",     "--model",           "--base-url",
                                  "--overlay",     "--text-only", "--suggest",     "--region",          "--actions",
                                  "--unconfirmed", "--max-turns", "--max-tokens",  "--max-calls",       "--max-cost",
                                  "--price",       "--json",      "--model-calls", "--save-model-calls"};
// Say how a model decides; the rules of a profile do.
constexpr std::array kPlannerOnly = {"--overlay", "--text-only",   "--suggest",  "--region",
                                     "--actions", "--unconfirmed", "--max-turns"};
constexpr std::array kExclusive = {std::pair{"--goal", "--goal-file"}, std::pair{"--text-only", "--overlay"},
                                   std::pair{"--quiet", "--verbose"}, std::pair{"--quiet", "--json"},
                                   std::pair{"--verbose", "--json"}};
constexpr std::array kMayBeRepeated = {"--region", "--actions", "--allow-tools", "--set", "--price"};

void add_goal(CLI::App& app, GoalFlags& flags) {
  app.add_option("--goal", flags.options.goal,
                 "what to do, as sentences separated by ';': open APP; type \"TEXT\" [into \"FIELD\"]; press ctrl+s;\n"
                 "click \"TARGET\"; check \"TEXT\" is visible; close \"TITLE\" ...")
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

void add_planner(CLI::App& app, GoalOptions& options) {
  EmbeddedModels& models = options.embedded.models;
  app.add_option("--planner", options.planner,
                 "what decides: plain (the goal's sentences), openai, openai-responses, anthropic, gemini,\n"
                 "ollama, llamacpp, vllm, lmstudio or recorded; openai-computer, anthropic-computer and\n"
                 "gemini-computer use the provider's own computer tool (default: the provider whose\n"
                 "key is in the environment, OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY; else plain)")
      ->group(kPlanner)
      ->check(utf8_text());
  app.add_option("--model", options.model, "model name (default: the provider's default model)")
      ->group(kPlanner)
      ->check(utf8_text());
  app.add_option("--base-url", models.base_url, "address of the model's server (default: the provider's)")
      ->group(kPlanner);
  app.add_option("--save-model-calls", models.save_calls, "append the model's answers to this file")->group(kPlanner);
  app.add_option("--model-calls", models.saved_calls, "the saved answers that --planner recorded replays")
      ->group(kPlanner);
  app.add_option("--overlay", models.overlay,
                 "draw over a model's screenshots: grid, marks (numbers on elements), both or none")
      ->group(kPlanner)
      ->check(CLI::IsMember({"grid", "marks", "both", "none"}));
  app.add_flag("--text-only", models.text_only, "send a model the list of elements instead of screenshots")
      ->group(kPlanner);
  add_suggestions(app, options);
}

void add_limit(CLI::App& app, const char* flag, std::uint32_t& into, const char* help) {
  app.add_option(flag, into, help)->group(kLimits)->check(at_least_one());
}

void add_model_limits(CLI::App& app, EmbeddedModels& models) {
  add_limit(app, "--max-turns", models.max_turns, "maximum decisions of a model (default: 12)");
  add_limit(app, "--max-calls", models.max_calls, "maximum calls of a model (default: 200)");
  add_limit(app, "--max-tokens", models.max_tokens, "maximum tokens of a model, in and out (default: 2000000)");
  auto* cost = app.add_option("--max-cost", models.max_cost, "maximum cost of a model, in the currency of --price");
  cost->group(kLimits)->check(CLI::PositiveNumber.description(""))->type_name("NUMBER");
  auto* price =
      app.add_option("--price", models.prices, "\"MODEL INPUT CACHED OUTPUT\": prices of a million tokens; repeatable");
  price->group(kLimits)->type_name("TEXT")->allow_extra_args(false)->check(utf8_text());
  cost->needs(price);
}

void add_limits(CLI::App& app, GoalFlags& flags) {
  app.add_option("--time-limit", flags.time_limit_ms, "maximum duration of the task (default: 1h)")
      ->group(kLimits)
      ->transform(milliseconds())
      ->type_name(kTimeValue);
  GoalOptions& options = flags.options;
  add_limit(app, "--max-steps", options.max_steps, "maximum steps that act (default: 1000)");
  add_limit(app, "--max-rate", options.max_steps_per_second, "maximum steps per second (default: 200)");
  add_limit(app, "--max-characters", options.max_characters, "maximum typed and pasted characters (default: 1000000)");
  add_limit(app, "--max-launches", options.max_launches, "maximum programs to start (default: 50)");
  add_model_limits(app, options.embedded.models);
}

void add_safety(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--unlock-writes", flags.options.unlock_writes,
               "open the write lock for this task; critical steps still need an approval")
      ->group(kSafety);
  app.add_option("--approval-expiry", flags.approval_expiry_ms,
                 "timeout of an approval (default: 2m), and without --config also of a model's question")
      ->group(kSafety)
      ->transform(milliseconds())
      ->type_name(kTimeValue);
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
  app.add_option("--log-level", options.log_level, "log level of the services (default: info)")
      ->group(kOwnServices)
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "critical", "off"}));
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

void add_output(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--quiet", flags.quiet, "show only questions and the result")->group(kOutput);
  app.add_flag("--verbose", flags.verbose, "show every fact, as if stdout were not a terminal")->group(kOutput);
}

bool is_given(const CLI::App& app, const char* flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
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
  add_planner(app, flags.options);
  add_limits(app, flags);
  add_safety(app, flags);
  add_services(app, flags.options.embedded);
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
    for (const char* flag : kEmbeddedOnly) {
      if (!is_given(app, flag)) continue;
      return std::string(flag) + " is for services that a goal starts itself; the services of --config have " +
             "configurations of their own, so set it there";
    }
  }
  if (flags.options.planner == "plain") {
    for (const char* flag : kModelOnly) {
      if (is_given(app, flag)) return std::string(flag) + " needs a model, and --planner plain has none";
    }
  }
  if (is_given(app, "--model-calls") && is_given(app, "--planner") && flags.options.planner != "recorded") {
    return "--model-calls needs --planner recorded";
  }
  if (is_given(app, "--journal") && flags.options.embedded.backend != "fake") return "--journal needs --desktop fake";
  return std::nullopt;
}

std::optional<std::string> stdio_contradiction(const CLI::App& app, const GoalFlags& flags) {
  for (const char* flag : kGoalOnly) {
    if (is_given(app, flag)) return std::string(flag) + " is for a goal; `stdio` takes its steps from stdin";
  }
  return contradiction(app, flags);
}

std::optional<std::string> run_contradiction(const CLI::App& app, const GoalFlags& flags) {
  for (const char* flag : kPlannerOnly) {
    if (is_given(app, flag)) return std::string(flag) + " is for a goal; in `run` the rules of the profile decide";
  }
  if (flags.options.planner == "plain") {
    return "--planner plain has no model; in `run` it names the provider of the models that the profile asks";
  }
  return contradiction(app, flags);
}

}  // namespace da::console
