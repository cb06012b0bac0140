#include "services/policy/rejudging/judge_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/contract/describe.h"
#include "services/policy/rejudging/rejudging.h"
#include "services/policy/rule_tools/exit_codes.h"

namespace da::policy {
namespace {

using nlohmann::json;

constexpr const char* kFooter =
    "Each step is judged as it was submitted; what would have followed from another verdict is not simulated. The\n"
    "recording's own rules must give the recorded verdicts again, or a warning says that the figures cannot be trusted.\n\n"
    "  da-policy judge --rules new.toml /var/lib/desktopassist-recorder/recordings/*.mcap\n\n"
    "Exit codes: 0 no verdict changes, 1 some change, or a recording is damaged, 2 bad usage or an unusable file.";

struct Arguments {
  std::string rules;
  std::vector<std::string> files;
  bool json = false;
};

std::string decision_word(v1::Verdict::Decision decision) {
  switch (decision) {
    case v1::Verdict::DECISION_ALLOW: return "allow";
    case v1::Verdict::DECISION_ASK: return "ask";
    default: return "deny";
  }
}

struct Totals {
  std::uint64_t steps = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t not_comparable = 0;
  std::map<std::string, std::uint64_t> changes;  // "allow -> deny", or "rule" if only the rule, risk or code changes.
  std::int64_t questions_before = 0;
  std::int64_t questions_now = 0;
  std::int64_t codes_before = 0;
  std::int64_t codes_now = 0;
};

class Report {
 public:
  explicit Report(bool as_json) : as_json_(as_json) {}

  void add(const RejudgedStep& step) {
    ++totals_.steps;
    totals_.questions_before += step.recorded.question ? 1 : 0;
    totals_.questions_now += step.now.question ? 1 : 0;
    totals_.codes_before += step.recorded.question && step.recorded.judgement.second_factor ? 1 : 0;
    totals_.codes_now += step.now.question && step.now.judgement.second_factor ? 1 : 0;
    if (!step.comparable) {
      ++totals_.not_comparable;
      return;
    }
    const Judgement& before = step.recorded.judgement;
    const Judgement& now = step.now.judgement;
    const bool same_effect = before.decision == now.decision && before.second_factor == now.second_factor;
    if (same_effect && before.rule == now.rule && before.risk == now.risk) {
      ++totals_.unchanged;
      return;
    }
    const std::string from = decision_word(before.decision) + (before.second_factor ? " with a code" : "");
    const std::string to = decision_word(now.decision) + (now.second_factor ? " with a code" : "");
    ++totals_.changes[same_effect ? "only the rule" : from + " -> " + to];
    if (as_json_) return print_json(step);
    std::cout << format_wall(step.time) << "  task " << escape_foreign(step.task_id.substr(0, 8)) << "  "
              << step.action_text << "\n    before: " << from << " (" << escape_foreign(before.rule) << ", "
              << contract::risk_name(before.risk) << ")\n    now:    " << to << " (" << escape_foreign(now.rule) << ", "
              << contract::risk_name(now.risk) << ")\n";
  }

  // After one recording.
  void add(const std::string& file, const Rejudging& rejudging) {
    const Reproduction& own = rejudging.reproduction();
    if (own.complete()) return;
    std::cerr << "da-policy: " << file << ": do not trust the figures: ";
    if (own.without_rules > 0) std::cerr << own.without_rules << " judgements are by rules that are not in it; ";
    if (own.different > 0) {
      std::cerr << "its own rules give " << own.different << " of " << own.judgements
                << " judgements differently, the first is " << own.first_difference;
    }
    std::cerr << "\n";
  }

  bool changed() const { return totals_.unchanged + totals_.not_comparable < totals_.steps; }

  void print_totals(std::size_t files) const {
    if (as_json_) {
      print({{"steps", totals_.steps},
             {"recordings", files},
             {"unchanged", totals_.unchanged},
             {"not_comparable", totals_.not_comparable},
             {"changes", totals_.changes},
             {"questions", {{"before", totals_.questions_before}, {"now", totals_.questions_now}}},
             {"codes", {{"before", totals_.codes_before}, {"now", totals_.codes_now}}}});
      return;
    }
    std::cout << totals_.steps << " steps of " << files << " recordings: " << totals_.unchanged << " unchanged";
    for (const auto& [change, count] : totals_.changes) std::cout << ", " << count << " " << change;
    if (totals_.not_comparable > 0) std::cout << ", " << totals_.not_comparable << " without the evidence for it";
    std::cout << "\nquestions to a person: " << totals_.questions_before << " before, " << totals_.questions_now
              << " now; with a code: " << totals_.codes_before << " before, " << totals_.codes_now << " now\n";
  }

 private:
  static void print(const json& object) {
    std::cout << object.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
  }
  static json side(const StepVerdict& verdict) {
    return {{"decision", decision_word(verdict.judgement.decision)},
            {"rule", verdict.judgement.rule},
            {"risk", contract::risk_name(verdict.judgement.risk)},
            {"second_factor", verdict.judgement.second_factor},
            {"question", verdict.question}};
  }
  static void print_json(const RejudgedStep& step) {
    json now = side(step.now);
    now["reason"] = step.now.judgement.reason;
    print({{"task", step.task_id},
           {"step", step.step_id},
           {"time", format_wall(step.time)},
           {"action", step.action_text},
           {"edited", step.edited},
           {"dry_run", step.dry_run},
           {"before", side(step.recorded)},
           {"now", std::move(now)}});
  }

  const bool as_json_;
  Totals totals_;
};

int judge(const Arguments& arguments) {
  const auto rules = Rules::load(arguments.rules);
  if (!rules) return unusable(rules.error());
  Report report(arguments.json);
  int exit_code = kExitOk;
  for (const std::string& file : arguments.files) {
    const auto recording = recording::RecordingReader::open(file);
    if (!recording) return unusable(recording.error());
    Rejudging rejudging(*rules, [&](const RejudgedStep& step) { report.add(step); });
    const auto read = rejudging.read(**recording);
    report.add(file, rejudging);
    const std::string problem = read ? (*recording)->file().problem() : read.error().message;
    if (problem.empty()) continue;
    std::cerr << "da-policy: " << file << ": " << problem << "\n";
    exit_code = kExitProblem;
  }
  report.print_totals(arguments.files.size());
  return report.changed() ? kExitProblem : exit_code;
}

}  // namespace

int run_judge(int argc, char** argv) {
  CLI::App app("Judges every step of recordings again under another rule file, and lists the verdicts that change.",
               "da-policy judge");
  Arguments arguments;
  app.add_option("--rules", arguments.rules, "the rule file (TOML)")->required();
  app.add_option("FILE", arguments.files, "recordings (docs/RECORDING.md)")->required();
  app.add_flag("--json", arguments.json, "print one JSON object a line, for scripts; the last one has the totals");
  app.footer(kFooter);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  return judge(arguments);
}

}  // namespace da::policy
