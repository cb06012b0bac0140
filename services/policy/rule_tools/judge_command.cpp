#include "services/policy/rule_tools/judge_command.h"

#include <iostream>

#include "lib/base/text.h"
#include "services/policy/rejudging/rejudging.h"
#include "services/policy/rule_tools/exit_codes.h"
#include "services/policy/rule_tools/rejudge_report.h"

namespace da::policy {
namespace {

constexpr const char* kAboutJudge =
    "Judges every step of recordings again under another rule file, and lists the verdicts that change.";

constexpr const char* kHelp =
    "  da-console policy judge --rules new.toml ~/.local/state/desktopassist/recorder/recordings/*.mcap\n\n"
    "Each step is judged as it was submitted: with its recorded evidence, write lock and time, after the recorded "
    "steps.\n"
    "What would have followed from another verdict is not simulated. A step that was judged several times counts by "
    "its\n"
    "last judgement; an edited step counts once more for each edit. The recording's own rules are tried too: if they "
    "do\n"
    "not give the recorded verdicts again, a warning says so.\n\n"
    "Exit codes: 0 no verdict changes; 1 verdicts change, or a recording is damaged or not reproduced by its own "
    "rules;\n"
    "2 bad usage, or a rule file or recording that cannot be used.";

}  // namespace

void add_judge_flags(CLI::App& app, JudgeArguments& arguments) {
  app.add_option("--rules", arguments.rules, "the rule file (TOML)")->required();
  app.add_option("FILE", arguments.files, "recordings (docs/RECORDING.md)")->required();
  app.add_flag("--json", arguments.json, "print one JSON object a line, for scripts; the last one has the totals");
  app.footer(kHelp);
}

int judge_recordings(const JudgeArguments& arguments) {
  const auto rules = Rules::load(arguments.rules);
  if (!rules) return unusable(rules.error());
  RejudgeReport report(arguments.json ? ReportAs::kJson : ReportAs::kText);
  int exit_code = kExitOk;
  for (const std::string& file : arguments.files) {
    const auto recording = recording::RecordingReader::open(file);
    if (!recording) {
      exit_code = unusable(recording.error());
      continue;
    }
    Rejudging rejudging(*rules, [&](const RejudgedStep& step) { report.add(step); });
    const auto read = rejudging.read(**recording);
    report.add(file, rejudging);
    const std::string problem = read ? (*recording)->file().problem() : read.error().message;
    if (problem.empty()) continue;
    std::cerr << "da-policy: " << file << ": only the steps before the damage are judged: " << escape_foreign(problem)
              << "\n";
    if (exit_code == kExitOk) exit_code = kExitProblem;
  }
  report.print_totals();
  if (exit_code == kExitOk && (report.changed() || !report.reproduced())) exit_code = kExitProblem;
  return exit_code;
}

int run_judge(int argc, char** argv) {
  CLI::App app(kAboutJudge, "da-policy judge");
  JudgeArguments arguments;
  add_judge_flags(app, arguments);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  return judge_recordings(arguments);
}

}  // namespace da::policy
