#include "services/planner/rules/commands/profile_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/planner/rules/commands/add_entry_command.h"
#include "services/planner/rules/commands/picture_cycle.h"
#include "services/planner/rules/commands/profile_cases.h"
#include "services/planner/rules/engine/needed_models.h"
#include "services/planner/rules/explain/asked_observer.h"
#include "services/planner/rules/explain/explanation_text.h"
#include "services/planner/rules/explain/profile_summary.h"
#include "services/planner/rules/explain/screen_cycle.h"
#include "services/planner/rules/profile/profile_file.h"
#include "services/planner/rules/profile/schema.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxPicture = 64u << 20;
constexpr const char* kExplainHelp =
    "  da-console profile explain mail.json                       # the present screen\n"
    "  da-console profile explain mail.json --image screen.png    # a picture\n"
    "  da-console profile explain mail.json --recording last      # a recorded run\n\n"
    "Nothing acts, and no model is asked. Add --config FILE for the desktop of another run, or --desktop, as for a "
    "goal.\n"
    "Of a recording, each rule is evaluated again at each time at which it was evaluated live, on the recorded\n"
    "measurements. A changed profile may need others: they are made on recorded pictures, where there are any.\n"
    "Exit codes: 0 no problem; 1 a rule with an error or, of a recording, a difference from what happened live, or\n"
    "something is missing; 2 bad usage or an unusable file; 5 a service could not be reached.";
constexpr std::size_t kShownProblem = 2'000;
constexpr int kExitOk = 0;
constexpr int kExitProblem = 1;   // The command ran and found a problem.
constexpr int kExitUnusable = 2;  // Bad usage, or an unusable file.

struct ProfileArguments {
  std::string profile;
  std::string image;
  std::string recording;
  std::vector<std::string> rules;
  std::vector<std::string> variables;  // Names of those that come from outside of the profile.
  bool changes_only = false;
  int requests = -1;  // Where the console reads requests to the observer; it answers on stdin. -1: there is none.
  std::string cases;
  bool strict = false;
  bool json = false;
  bool markdown = false;
};

void print(const Document& object) {
  std::cout << object.dump(-1, ' ', false, Document::error_handler_t::replace) << "\n";
}

void print(const ProfileArguments& arguments, const Problem& problem) {
  if (arguments.json) {
    print({{"severity", problem.severity == Severity::kError ? "error" : "warning"},
           {"line", problem.place.line},
           {"column", problem.place.column},
           {"message", problem.message}});
  } else {
    std::cout << escape_foreign(problem_text(arguments.profile, problem), kShownProblem) << "\n";
  }
}

int unusable(const std::string& problem) {
  std::cerr << "da-planner: " << escape_foreign_lines(problem, kShownProblem) << "\n";
  return kExitUnusable;
}

void print(const ProfileArguments& arguments, const std::vector<NeededModel>& models) {
  for (const NeededModel& model : models) {
    if (arguments.json) {
      print({{"model", model.name}, {"rules", model.rules}});
      continue;
    }
    std::string rules;
    for (const std::string& rule : model.rules) rules += (rules.empty() ? "" : ", ") + quote_foreign(rule);
    std::cout << "asks the model " << quote_foreign(model.name) << ": " << rules << "\n";
  }
}

int check(const ProfileArguments& arguments) {
  const auto read = load_profile(path_of(arguments.profile),
                                 {.unknown_keys = arguments.strict ? UnknownKeys::kRefuse : UnknownKeys::kWarn});
  if (!read) return unusable(read.error().message);
  for (const Problem& problem : read->problems) print(arguments, problem);
  if (!read->profile) return kExitUnusable;
  const auto models = needed_models(*read->profile, {});
  if (!models) return unusable(arguments.profile + ": " + models.error().message);
  print(arguments, *models);
  if (!arguments.json) {
    const Profile& profile = *read->profile;
    std::cout << "rules: " << profile.rules.size() << ", regions: " << profile.regions.size()
              << ", templates: " << profile.templates.size() << ", warnings: " << read->problems.size() << "\n";
  }
  return read->problems.empty() ? kExitOk : kExitProblem;
}

// The profile of a command that needs a valid one, with the pictures of its templates. `variables` come from outside of
// it. Reports the problems of an invalid one.
std::optional<LoadedProfile> usable_profile(const ProfileArguments& arguments, const Variables& variables = {}) {
  const auto path = path_of(arguments.profile);
  LoadedProfile loaded;
  loaded.variables = variables;
  loaded.pictures = false;
  auto text = os::read_file(path);
  ReadOptions options;
  for (const auto& [name, value] : variables) options.variables.insert(name);
  auto read = load_profile(path, std::move(options));
  if (!text || !read) {
    unusable(text ? read.error().message : text.error().message);
    return std::nullopt;
  }
  for (const Problem& problem : read->problems) {
    if (problem.severity == Severity::kError) unusable(problem_text(arguments.profile, problem));
  }
  if (!read->profile) return std::nullopt;
  loaded.text = *std::move(text);
  loaded.profile = *std::move(read->profile);
  for (const Template& one : loaded.profile.templates) {
    auto content = read_template_file(path, one);
    if (!content) {
      unusable(content.error().message);
      return std::nullopt;
    }
    loaded.images.push_back({template_digest(*content), {}});
    loaded.images.back().content = *std::move(content);
  }
  return loaded;
}

int print_cycle(const ProfileArguments& arguments, const Result<Cycle>& cycle) {
  if (!cycle) return unusable(cycle.error().message);
  for (const RuleReport& report : cycle->reports) {
    if (arguments.json) {
      print(to_json(report));
    } else {
      std::cout << to_text(report);
    }
  }
  return cycle->errors.empty() ? kExitOk : kExitProblem;
}

int explain_screen(const ProfileArguments& arguments) {
  const auto loaded = usable_profile(arguments);
  if (!loaded) return kExitUnusable;
  AskedObserver observer(arguments.requests, STDIN_FILENO);
  TaskCancel cancel;
  TaskView view(observer, system_clock(), cancel, {}, {}, MonoTime::max());
  return print_cycle(arguments, evaluate_screen(*loaded, view));
}

int explain_recording(const ProfileArguments& arguments) {
  const auto run = read_recorded_run(path_of(arguments.recording));
  if (!run) return unusable(run.error().message);
  const auto recorded = load_recorded(run->profile);
  if (!recorded) return unusable("the recorded profile cannot be read: " + recorded.error().message);
  const auto current = usable_profile(arguments, recorded->variables);
  if (!current) return kExitUnusable;
  for (const std::string& name : arguments.rules) {
    if (std::ranges::find(current->profile.rules, name, &Rule::name) != current->profile.rules.end()) continue;
    return unusable("the profile has no rule " + quote_foreign(name));
  }
  PictureAnalyst analyst(*run, *recorded, *current);
  Explanation explanation(*run, *recorded, *current, &analyst, {arguments.rules.begin(), arguments.rules.end()});
  const std::string file = quote_foreign(arguments.recording);
  if (!explanation.same_profile())
    std::cerr << "da-planner: the profile, or a template, is not that of the recording\n";
  ExplanationText text({.as = arguments.json ? ExplanationAs::kJson : ExplanationAs::kText,
                        .shown = arguments.changes_only ? Shown::kChanges : Shown::kAll},
                       std::cout);
  const auto totals = explanation.run([&](const ExplainedEvaluation& evaluation) { text.add(evaluation); });
  if (!totals) return unusable(totals.error().message);
  text.finish(*totals);
  for (const auto& [hash, why] : analyst.unusable()) {
    std::cerr << "da-planner: a picture of the recording is not used: " << escape_foreign(why) << "\n";
  }
  if (run->lost > 0) std::cerr << "da-planner: " << file << " lacks " << run->lost << " facts\n";
  if (!run->damage.empty()) {
    std::cerr << "da-planner: " << file << ": only a part can be explained: " << escape_foreign(run->damage) << "\n";
  }
  const bool is_whole = run->lost == 0 && run->damage.empty() && totals->not_known == 0;
  return is_whole && totals->differences == 0 ? kExitOk : kExitProblem;
}

int explain(const ProfileArguments& arguments) {
  if (!arguments.recording.empty()) return explain_recording(arguments);
  if (arguments.requests >= 0) return explain_screen(arguments);
  if (arguments.image.empty()) {
    return unusable("only `da-console profile explain` can look at the screen; or give --image or --recording");
  }
  const auto loaded = usable_profile(arguments);
  if (!loaded) return kExitUnusable;
  return print_cycle(arguments, evaluate_picture(*loaded, path_of(arguments.image)));
}

int test_cases(const ProfileArguments& arguments) {
  const auto loaded = usable_profile(arguments);
  if (!loaded) return kExitUnusable;
  const auto text = os::read_file(path_of(arguments.cases));
  if (!text) return unusable(text.error().message);
  const auto cases = read_cases(*text, loaded->profile);
  if (!cases) return unusable(arguments.cases + ": " + cases.error().message);
  std::size_t failed = 0;
  for (const ProfileCase& one : *cases) {
    const auto folder = path_of(arguments.cases).parent_path();
    // The cases may be someone else's: what they name must lie in their folder.
    const auto readable = os::read_file_below(folder.empty() ? "." : folder, path_of(one.image), kMaxPicture);
    if (!readable) return unusable(readable.error().message);
    const auto image = folder / path_of(one.image);
    const auto cycle = evaluate_picture(*loaded, image);
    if (!cycle) return unusable(cycle.error().message);
    const std::string failure = failure_of(one, loaded->profile, *cycle);
    failed += failure.empty() ? 0 : 1;
    if (arguments.json) {
      print({{"case", one.name}, {"holds", failure.empty()}, {"problem", failure}});
    } else if (!failure.empty()) {
      std::cout << escape_foreign(one.name) << ": " << failure << "\n";
    }
  }
  if (!arguments.json) std::cout << cases->size() - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? kExitOk : kExitProblem;
}

// "-" is stdin: the console passes what it is about to run.
int summarize(const ProfileArguments& arguments) {
  const auto text = arguments.profile == "-"
                        ? Result<std::string>(std::string(std::istreambuf_iterator<char>(std::cin), {}))
                        : os::read_file(path_of(arguments.profile));
  if (!text) return unusable(text.error().message);
  const auto read = read_profile(*text, {.variables = {arguments.variables.begin(), arguments.variables.end()}});
  if (!read.profile) {
    for (const Problem& problem : read.problems) unusable(problem_text(arguments.profile, problem));
    return kExitUnusable;
  }
  for (const std::string& line : profile_summary(*read.profile)) {
    if (arguments.json) {
      print({{"line", line}});
    } else {
      std::cout << line << "\n";
    }
  }
  return kExitOk;
}

int show_schema(const ProfileArguments& arguments) {
  if (arguments.markdown) {
    std::cout << parameter_tables();
  } else {
    std::cout << profile_schema().dump(2) << "\n";
  }
  return kExitOk;
}

}  // namespace

bool is_profile_command(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "profile"; }

int run_profile_command(int argc, char** argv) {
  CLI::App app("Checks and tries rule profiles (docs/PROFILES.md). Nothing acts.", "da-console profile");
  app.require_subcommand(1);
  ProfileArguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("PROFILE", arguments.profile, "the profile (JSON)")->required();
    command->add_flag("--json", arguments.json, "print one JSON object a line, for scripts");
    return command;
  };
  CLI::App* checks = add("check", "find errors in a profile, with their lines and columns");
  checks->add_flag("--strict", arguments.strict, "unknown keys are errors");
  CLI::App* explains = add("explain", "show which conditions hold now, with measured beside expected values");
  auto* image = explains->add_option("--image", arguments.image, "a PNG or JPEG file, as if the desktop showed it");
  auto* recording = explains->add_option("--recording", arguments.recording,
                                         "a recorded run of the profile: every evaluation, beside what happened then");
  recording->excludes(image);
  explains->add_option("--rule", arguments.rules, "of a recording: only the rule with this name; may be repeated")
      ->allow_extra_args(false)
      ->needs(recording);
  explains
      ->add_flag("--changes-only", arguments.changes_only,
                 "of a recording: a rule only where something changed, where it fired, or where it differs")
      ->needs(recording);
  explains->add_option("--requests-fd", arguments.requests)->group("")->excludes(image)->excludes(recording);
  explains->footer(kExplainHelp);
  CLI::App* tests = add("test", "test a profile with your own cases");
  tests->add_option("CASES", arguments.cases, "the cases (JSON), as docs/PROFILES.md shows them")->required();
  CLI::App* summarizes = add("summary", "say what a profile reads, sends to models and does");
  summarizes->add_option("--variable", arguments.variables, "a variable that --set will give; repeatable")
      ->allow_extra_args(false);
  CLI::App* schema = app.add_subcommand("schema", "print the format of profiles as a JSON Schema");
  schema->add_flag("--markdown", arguments.markdown, "as the tables of docs/PROFILES.md");
  AddEntryArguments added;
  CLI::App* adds = add_entry_command(app, added);
  app.footer(
      "Exit codes: 0 no problem, 1 warnings only, a rule with an error or a failed case, 2 bad usage or an unusable "
      "file.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  if (adds->parsed()) return run_add_entry(added);
  if (checks->parsed()) return check(arguments);
  if (explains->parsed()) return explain(arguments);
  if (summarizes->parsed()) return summarize(arguments);
  return tests->parsed() ? test_cases(arguments) : show_schema(arguments);
}

}  // namespace da::planner::rules
