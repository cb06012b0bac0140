#include "services/console/goal_flags.h"

#include <algorithm>
#include <array>

#include "services/console/flags.h"

namespace da::console {
namespace {

constexpr const char* kTime = "TIME (5s, 10m, 1h)";
constexpr const char* kGoal = "Goal";
constexpr const char* kPlanner = "Planner";
constexpr const char* kLimits = "Limits";
constexpr const char* kSafety = "Safety";
constexpr const char* kOutput = "Output";
constexpr const char* kServices = "Services that the goal starts (without --config)";

// They configure services that a goal starts for itself.
constexpr std::array kEmbeddedOnly = {
    "--desktop",   "--rules",      "--secrets",          "--masks",       "--log-level", "--notify",
    "--journal",   "--base-url",   "--save-model-calls", "--model-calls", "--overlay",   "--text-only",
    "--max-turns", "--max-tokens", "--max-calls",        "--max-cost",    "--price"};
// They speak of a model, and the plain planner asks none.
constexpr std::array kModelOnly = {"--model",       "--overlay",   "--text-only",  "--suggest",   "--save-model-calls",
                                   "--model-calls", "--max-turns", "--max-tokens", "--max-calls", "--max-cost",
                                   "--price"};
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
                 "a file that holds the goal; - for stdin. A line that begins with # is a comment")
      ->group(kGoal)
      ->type_name("FILE");
  app.add_option("--set", flags.variables, "what {{NAME}} in the goal stands for; may be given again")
      ->group(kGoal)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(utf8_text());
  app.add_flag("--dry-run", flags.options.dry_run, "show plan, targets and verdicts; execute nothing")->group(kGoal);
}

void add_suggestions(CLI::App& app, GoalOptions& options) {
  auto* suggest = app.add_option("--suggest", options.suggestions,
                                 "ask a model for so many single, small actions instead of plans; each is confirmed");
  suggest->group(kPlanner)->check(CLI::Range(1U, 50U))->type_name("N");
  app.add_option("--region", options.regions,
                 "with --suggest: a part of the desktop that is shown, instead of all of it; may be given again")
      ->group(kPlanner)
      ->type_name("NAME=X,Y,WIDTH,HEIGHT")
      ->needs(suggest);
  app.add_option("--actions", options.suggestible_actions,
                 "with --suggest: the only ones that may be suggested: CLICK_DESCRIBED_ELEMENT,\n"
                 "TYPE_IN_DESCRIBED_FIELD, PRESS_KEY_SIMPLE, WAIT_SHORT, CHECK_ELEMENT_PROPERTY")
      ->group(kPlanner)
      ->delimiter(',')
      ->type_name("ACTION,...")
      ->needs(suggest);
  app.add_flag("!--unconfirmed", options.confirm_suggestions,
               "with --suggest: ask about a step only where the policy does")
      ->group(kPlanner)
      ->needs(suggest);
}

void add_planner(CLI::App& app, GoalOptions& options) {
  app.add_option("--planner", options.planner,
                 "who decides: plain (the goal's sentences), openai, openai-responses, anthropic, gemini,\n"
                 "ollama, llamacpp, vllm, lmstudio or recorded; openai-computer, anthropic-computer and\n"
                 "gemini-computer use the provider's own computer tool; without it: the provider whose\n"
                 "key is in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY), or plain")
      ->group(kPlanner)
      ->check(utf8_text());
  app.add_option("--model", options.model, "model name (default: the provider's default model)")
      ->group(kPlanner)
      ->check(utf8_text());
  app.add_option("--base-url", options.models.base_url, "address of the model's server (default: the provider's)")
      ->group(kPlanner);
  app.add_option("--save-model-calls", options.models.save_calls, "a file to which the model's answers are added")
      ->group(kPlanner);
  app.add_option("--model-calls", options.models.saved_calls, "the file that --planner recorded answers from")
      ->group(kPlanner);
  app.add_option("--overlay", options.models.overlay,
                 "what is drawn over a model's screenshots: grid, marks (numbers on elements), both or none")
      ->group(kPlanner)
      ->check(CLI::IsMember({"grid", "marks", "both", "none"}));
  app.add_flag("--text-only", options.models.text_only, "a model gets the list of elements instead of screenshots")
      ->group(kPlanner);
  add_suggestions(app, options);
}

void add_model_limits(CLI::App& app, EmbeddedModels& models) {
  app.add_option("--max-turns", models.max_turns, "how often a model may decide (12)")
      ->group(kLimits)
      ->check(at_least_one());
  app.add_option("--max-calls", models.max_calls, "how often a model may be asked (200)")
      ->group(kLimits)
      ->check(at_least_one());
  app.add_option("--max-tokens", models.max_tokens, "how many tokens a model may read and write (2000000)")
      ->group(kLimits)
      ->check(at_least_one());
  auto* cost = app.add_option("--max-cost", models.max_cost, "how much a model may cost, in the currency of --price");
  cost->group(kLimits)->check(CLI::PositiveNumber.description(""))->type_name("NUMBER");
  auto* price = app.add_option("--price", models.prices,
                               "\"MODEL INPUT CACHED OUTPUT\": prices for a million tokens; may be given again");
  price->group(kLimits)->type_name("TEXT")->allow_extra_args(false)->check(utf8_text());
  cost->needs(price);
}

void add_limits(CLI::App& app, GoalFlags& flags) {
  app.add_option("--time-limit", flags.time_limit_ms, "how long the task may take (1h)")
      ->group(kLimits)
      ->transform(milliseconds())
      ->type_name(kTime);
  app.add_option("--max-steps", flags.options.max_steps, "how many steps may act (1000)")
      ->group(kLimits)
      ->check(at_least_one());
  app.add_option("--max-rate", flags.options.max_steps_per_second, "how many steps a second may be tried (200)")
      ->group(kLimits)
      ->check(at_least_one());
  app.add_option("--max-characters", flags.options.max_characters, "how much may be typed and pasted (1000000)")
      ->group(kLimits)
      ->check(at_least_one());
  app.add_option("--max-launches", flags.options.max_launches, "how many programs may be started (50)")
      ->group(kLimits)
      ->check(at_least_one());
  add_model_limits(app, flags.options.models);
}

void add_safety(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--unlock-writes", flags.options.unlock_writes,
               "open the write lock for this task; critical steps are asked about all the same")
      ->group(kSafety);
  app.add_option("--approval-expiry", flags.approval_expiry_ms,
                 "how long an approval waits (2m); with services of its own, a model's question too")
      ->group(kSafety)
      ->transform(milliseconds())
      ->type_name(kTime);
  app.add_option("--allow-tools", flags.options.allowed_tools, "the only tools that the task may use (all)")
      ->group(kSafety)
      ->check(known_tool())
      ->delimiter(',')
      ->type_name("TOOL,...");
  app.add_option("--rules", flags.options.rules, "the policy's rule file (default: the shipped one)")->group(kSafety);
  app.add_option("--secrets", flags.options.secrets,
                 "the actuator's secrets file, for {{secret:NAME}} in what is typed")
      ->group(kSafety);
  app.add_option("--masks", flags.options.masks, "the actuator's masks file: what of the screen nobody is shown")
      ->group(kSafety);
}

void add_services(CLI::App& app, GoalOptions& options) {
  app.add_option("--desktop", options.backend, "x11, or fake: a small desktop in memory")
      ->group(kServices)
      ->check(CLI::IsMember({"x11", "fake"}));
  app.add_option("--journal", options.journal, "a file to which the fake desktop adds what it receives")
      ->group(kServices);
  app.add_option("--log-level", options.log_level, "of the services' logs (info)")
      ->group(kServices)
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "critical", "off"}));
  app.add_option("--notify", options.notify,
                 "a program that is run for each question; it finds the question in the\n"
                 "environment, as DESKTOPASSIST_QUESTION")
      ->group(kServices);
}

void add_output(CLI::App& app, GoalFlags& flags) {
  app.add_flag("--quiet", flags.quiet, "show questions and the result alone")->group(kOutput);
  app.add_flag("--verbose", flags.verbose, "show every fact, as where stdout is no terminal")->group(kOutput);
}

bool is_given(const CLI::App& app, const char* flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

// CLI11 would take the last one, or call both values one value that is too long.
std::optional<std::string> given_twice(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name == "--json" || std::ranges::find(kMayBeRepeated, name) != kMayBeRepeated.end()) continue;
    if (option->count() > 1) return name + " is given " + std::to_string(option->count()) + " times; give it once";
  }
  return std::nullopt;
}

}  // namespace

void add_goal_flags(CLI::App& app, GoalFlags& flags) {
  add_goal(app, flags);
  add_planner(app, flags.options);
  add_limits(app, flags);
  add_safety(app, flags);
  add_services(app, flags.options);
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
      return std::string(flag) + " is for services that a goal starts for itself; those that --config names have " +
             "configurations of their own, so set it there";
    }
  }
  if (flags.options.planner == "plain") {
    for (const char* flag : kModelOnly) {
      if (is_given(app, flag)) return std::string(flag) + " is about a model, and --planner plain asks none";
    }
  }
  if (is_given(app, "--model-calls") && is_given(app, "--planner") && flags.options.planner != "recorded") {
    return "--model-calls is read by --planner recorded alone";
  }
  if (is_given(app, "--journal") && flags.options.backend != "fake") return "--journal needs --desktop fake";
  return std::nullopt;
}

}  // namespace da::console
