#include "services/policy/rule_tools/audit_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/service/config.h"
#include "services/policy/audit/lines.h"
#include "services/policy/audit/log.h"
#include "services/policy/audit/verify.h"
#include "services/policy/rule_tools/audit_view.h"
#include "services/policy/rule_tools/exit_codes.h"

namespace da::policy {
namespace {

constexpr std::size_t kNamedTasks = 5;  // Tasks that the error for an unknown task names.

constexpr const char* kAbout =
    "Shows what the policy decided, and checks that nobody changed it since.\n\n"
    "The policy writes each verdict, question, answer, grant and outcome to a file before it answers: by default\n"
    "$XDG_STATE_HOME/desktopassist/policy/audit (~/.local/state/...), which outlives a run. Each line is a JSON\n"
    "object with the hash of the line before. Signed heads of that chain are in audit-heads beside it, or in the\n"
    "policy's setting policy.audit_heads: a share of another machine is the better place.\n\n"
    "  audit show --last 20                 what happened last\n"
    "  audit show --since 2h --kind answer  who answered what\n"
    "  audit verify                         is the log complete and unchanged?\n"
    "  audit verify --key policy.pub        ... and from this policy? (key: 64 hexadecimal digits, or a file of them)\n"
    "  audit export --output run.jsonl      records and heads, for another party to `audit verify run.jsonl`";

struct AuditArguments {
  std::string log;
  std::string heads;
  std::string config;
  AuditFilter filter;
  std::string since;
  std::size_t last = 0;
  std::vector<std::string> keys;
  std::string output;
  bool json = false;
  bool csv = false;
};

// Fills in files that were not named: from the policy's configuration, or the places of an embedded run.
Result<void> find_files(AuditArguments& arguments) {
  std::filesystem::path directory = os::state_directory() / "policy";
  std::optional<std::filesystem::path> heads;
  if (!arguments.config.empty()) {
    ASSIGN_OR_RETURN(const auto config, service::Config::load(arguments.config));
    ASSIGN_OR_RETURN(const auto state, config.find_path("policy.state"));
    ASSIGN_OR_RETURN(heads, config.find_path("policy.audit_heads"));
    if (state) directory = *state;
  }
  if (arguments.heads.empty() && heads) arguments.heads = heads->string();
  // An export contains its heads, so there may be no file beside it.
  const std::string beside =
      (arguments.log.empty() ? directory / kAuditFile : std::filesystem::path(arguments.log)).string() + "-heads";
  if (arguments.heads.empty() && (arguments.log.empty() || std::filesystem::exists(beside))) arguments.heads = beside;
  if (arguments.log.empty()) arguments.log = directory / kAuditFile;
  return ok();
}

template <class Take>
Result<void> for_each_line(const std::string& file, Take&& take) {
  ASSIGN_OR_RETURN(auto lines, LineReader::open(file));
  while (const auto line = lines.next()) take(*line);
  if (lines.error()) return *lines.error();
  return ok();
}

// A validator for CLI11: the error, or empty.
std::string unknown_kind(const std::string& kind) {
  static const std::vector<std::string> kKinds = {
      "started",     "task_opened", "verdict", "question", "answer", "question_ended", "grant",     "outcome",
      "task_closed", "write_lock",  "halt",    "pause",    "resume", "rules",          "recovered", "stopped"};
  if (std::ranges::find(kKinds, kind) != kKinds.end()) return {};
  return "unknown kind \"" + escape_foreign(kind, 60) + "\"" + did_you_mean(kind, kKinds) + "; --help lists them";
}

// An unknown task is an error, so that a mistyped id does not look like a task without records.
Result<void> check_task(const AuditArguments& arguments) {
  if (arguments.filter.task.empty()) return ok();
  bool found = false;
  std::deque<std::string> newest;
  RETURN_IF_ERROR(for_each_line(arguments.log, [&](const Line& line) {
    const std::string task = task_of(line.text);
    found = found || task.starts_with(arguments.filter.task);
    if (task.empty() || std::ranges::find(newest, task) != newest.end()) return;
    newest.push_back(task);
    if (newest.size() > kNamedTasks) newest.pop_front();
  }));
  if (found) return ok();
  std::string list;
  for (const std::string& task : newest) list += (list.empty() ? "" : ", ") + escape_foreign(task, 40);
  return Error{Code::kNotFound, "no record has a task id that begins with \"" +
                                    escape_foreign(arguments.filter.task, 60) + "\"" +
                                    (list.empty() ? "; the log has no task" : "; the newest tasks: " + list)};
}

int show_records(AuditArguments& arguments) {
  if (const auto known = check_task(arguments); !known) return unusable(known.error());
  if (!arguments.since.empty()) {
    const auto since = since_time(arguments.since, system_clock().wall_now());
    if (!since) return unusable(since.error());
    arguments.filter.since = *since;
  }
  std::deque<std::string> shown;
  const auto read = for_each_line(arguments.log, [&](const Line& line) {
    const auto text = view(line.text, arguments.filter, arguments.json ? ViewAs::kJson : ViewAs::kText);
    if (!text) return;
    if (arguments.last == 0) {
      std::cout << *text << "\n";
      return;
    }
    shown.push_back(*text);
    if (shown.size() > arguments.last) shown.pop_front();
  });
  if (!read) return unusable(read.error());
  for (const std::string& text : shown) std::cout << text << "\n";
  return kExitOk;
}

Result<std::set<std::string>> read_keys(const std::vector<std::string>& given) {
  const auto is_key = [](const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  std::set<std::string> keys;
  for (std::string key : given) {
    if (!is_key(key)) {
      ASSIGN_OR_RETURN(const auto text, os::read_file(key, 4096));
      key = trim(text);
    }
    if (!is_key(key)) {
      return Error{Code::kInvalidArgument, "a public key must be 64 hexadecimal digits, or a file with them"};
    }
    keys.insert(key);
  }
  return keys;
}

int verify(const AuditArguments& arguments) {
  const auto keys = read_keys(arguments.keys);
  if (!keys) return unusable(keys.error());
  AuditVerifier verifier;
  // Heads first: the policy may be writing, and no head may be newer than the records that are read.
  if (!arguments.heads.empty()) {
    const auto heads = for_each_line(arguments.heads, [&](const Line& line) { verifier.add_head(line.text); });
    // The chain can be verified without heads; a person must judge why they are missing.
    if (!heads) std::cerr << "da-policy: verifying without heads: " << heads.error().message << "\n";
  }
  const auto read = for_each_line(arguments.log, [&](const Line& line) { verifier.add_line(line.text, line.ended); });
  if (!read) return unusable(read.error());
  const AuditReport report = verifier.finish(*keys);
  if (arguments.json) {
    std::cout << to_json(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    std::cout << to_text(report);
  }
  return report.intact() ? kExitOk : kExitProblem;
}

int export_log(const AuditArguments& arguments) {
  std::ofstream file;
  if (!arguments.output.empty()) {
    file.open(arguments.output, std::ios::binary | std::ios::trunc);
    if (!file) return unusable(posix_error("create " + arguments.output, errno));
  }
  std::ostream& out = arguments.output.empty() ? std::cout : file;
  if (arguments.csv) out << csv_header() << "\n";
  if (!arguments.csv && !arguments.heads.empty()) {
    const auto heads = for_each_line(arguments.heads, [&](const Line& line) {
      if (looks_like_head(line.text)) out << line.text << "\n";
    });
    if (!heads) return unusable(heads.error());
  }
  const auto records = for_each_line(arguments.log, [&](const Line& line) {
    if (!arguments.csv) {
      out << line.text << (line.ended ? "\n" : "");
    } else if (const auto text = view(line.text, {}, ViewAs::kCsv)) {
      out << *text << "\n";
    }
  });
  if (!records) return unusable(records.error());
  out.flush();
  if (!out) return unusable({Code::kInternal, "the export could not be written completely"});
  return kExitOk;
}

}  // namespace

int run_audit(int argc, char** argv) {
  CLI::App app(kAbout, "da-console audit");
  app.require_subcommand(1);
  AuditArguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("FILE", arguments.log, "the log or an export (default: the log of this user's runs)");
    command->add_option("--config", arguments.config, "the policy's configuration, which names the place of its log");
    return command;
  };
  CLI::App* shows = add("show", "print records, oldest first");
  shows->add_option("--task", arguments.filter.task, "only this task; the start of its id is enough");
  shows
      ->add_option(
          "--kind", arguments.filter.kinds,
          "only these kinds: started, task_opened, verdict, question, answer, question_ended, grant, outcome,\n"
          "task_closed, write_lock, halt, pause, resume, rules, recovered, stopped")
      ->check(CLI::Validator(unknown_kind, ""));
  shows->add_option("--since", arguments.since,
                    "only the last 30s, 10m, 2h or 7d, or since a time: 2026-11-21[T09:30]");
  shows->add_option("--last", arguments.last, "only this many records, the newest");
  shows->add_flag("--json", arguments.json, "print the unchanged records, one JSON object a line");
  CLI::App* verifies = add("verify", "check that no record was changed, removed, added, moved or cut off");
  verifies->add_option("--key", arguments.keys,
                       "count only heads signed with this public key: 64 hexadecimal digits or a file.\n"
                       "Each record \"started\" names a key; use one that you know from another source");
  verifies->add_flag("--json", arguments.json, "print one JSON object, for scripts");
  CLI::App* exports = add("export", "write records and signed heads as JSON lines, for someone else to verify");
  exports->add_option("--output", arguments.output, "the file to write (default: stdout)");
  exports->add_flag("--csv", arguments.csv, "as a table for a spreadsheet; it cannot be verified");
  for (CLI::App* command : {verifies, exports}) {
    command->add_option("--heads", arguments.heads, "the signed heads (default: those of the log)");
  }
  app.footer("Exit codes: 0 done (verify: intact), 1 not intact, 2 bad usage or an unreadable file.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUnusable;
  }
  if (const auto found = find_files(arguments); !found) return unusable(found.error());
  if (shows->parsed()) return show_records(arguments);
  return verifies->parsed() ? verify(arguments) : export_log(arguments);
}

}  // namespace da::policy
