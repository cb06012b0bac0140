#include "services/policy/workbench/audit_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/os/files.h"
#include "lib/service/config.h"
#include "services/policy/audit/lines.h"
#include "services/policy/audit/log.h"
#include "services/policy/audit/verify.h"
#include "services/policy/workbench/audit_view.h"

namespace da::policy {
namespace {

using Json = nlohmann::json;

constexpr int kWell = 0;
constexpr int kNotIntact = 1;
constexpr int kUnusable = 2;
constexpr std::size_t kNamedTasks = 5;  // Where the one that was named is not there.

constexpr const char* kAbout =
    "Shows what the policy decided, and checks that nobody changed it since.\n\n"
    "The policy writes each verdict, question, answer, grant and outcome to a file before it answers: by default\n"
    "$XDG_STATE_HOME/desktopassist/policy/audit (~/.local/state/...), which outlives a run. Each line is a JSON\n"
    "object that holds the hash of the line before. Signed heads of that chain lie in audit-heads beside it, or\n"
    "where policy.audit_heads of the policy's configuration says: another machine's share is the better place.\n\n"
    "  audit show --last 20                 what happened last\n"
    "  audit show --since 2h --kind answer  who answered what\n"
    "  audit verify                         is it all there, and unchanged?\n"
    "  audit verify --key policy.pub        ... and by this policy? (key: 64 hexadecimal digits, or a file of them)\n"
    "  audit export --output run.jsonl      records and heads, for another party to `audit verify run.jsonl`";

struct Arguments {
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

int unusable(const Error& error) {
  std::cerr << "da-policy: " << error.message << "\n";
  return kUnusable;
}

// Fills in what was not named: from the policy's configuration, or where an embedded run keeps it.
Result<void> find_files(Arguments& arguments) {
  std::filesystem::path directory = os::state_directory() / "policy";
  std::optional<std::filesystem::path> heads;
  if (!arguments.config.empty()) {
    ASSIGN_OR_RETURN(const auto config, service::Config::load(arguments.config));
    ASSIGN_OR_RETURN(const auto state, config.find_path("policy.state"));
    ASSIGN_OR_RETURN(heads, config.find_path("policy.audit_heads"));
    if (state) directory = *state;
  }
  if (arguments.heads.empty() && heads) arguments.heads = heads->string();
  // An export, which has no other heads than its own, stands alone.
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

// What CLI11 says after the flag's name; empty where all is well.
std::string unknown_kind(const std::string& kind) {
  static const std::vector<std::string> kKinds = {
      "started",     "task_opened", "verdict", "question", "answer", "question_ended", "grant",     "outcome",
      "task_closed", "write_lock",  "halt",    "pause",    "resume", "rules",          "recovered", "stopped"};
  if (std::ranges::find(kKinds, kind) != kKinds.end()) return {};
  return "there is no kind \"" + escape_foreign(kind, 60) + "\"" + did_you_mean(kind, kKinds) + "; --help lists them";
}

// So that a mistyped task is not taken for one of which there is nothing to show.
Result<void> check_task(const Arguments& arguments) {
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
  return Error{Code::kNotFound, "no record is of a task whose id begins with \"" +
                                    escape_foreign(arguments.filter.task, 60) + "\"" +
                                    (list.empty() ? "; the log names no task" : "; the newest tasks: " + list)};
}

int show(Arguments& arguments) {
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
  return kWell;
}

Result<std::set<std::string>> read_keys(const std::vector<std::string>& given) {
  constexpr std::size_t kKeyDigits = 64;
  std::set<std::string> keys;
  for (std::string key : given) {
    if (key.size() != kKeyDigits || key.find_first_not_of("0123456789abcdef") != std::string::npos) {
      ASSIGN_OR_RETURN(const auto text, os::read_file(key, 4096));
      key = trim(text);
    }
    if (key.size() != kKeyDigits || key.find_first_not_of("0123456789abcdef") != std::string::npos) {
      return Error{Code::kInvalidArgument, "a public key is 64 hexadecimal digits, or a file that holds them"};
    }
    keys.insert(key);
  }
  return keys;
}

int verify(const Arguments& arguments) {
  const auto keys = read_keys(arguments.keys);
  if (!keys) return unusable(keys.error());
  AuditVerifier verifier;
  // The heads first: the policy may be writing, and a head must not be newer than what is read of the log.
  if (!arguments.heads.empty()) {
    const auto heads = for_each_line(arguments.heads, [&](const Line& line) { verifier.add_head(line.text); });
    // A log whose heads are gone can be verified by its chain; that they are gone is for a person to judge.
    if (!heads) std::cerr << "da-policy: without heads: " << heads.error().message << "\n";
  }
  const auto read = for_each_line(arguments.log, [&](const Line& line) { verifier.add_line(line.text, line.ended); });
  if (!read) return unusable(read.error());
  const AuditReport report = verifier.finish(*keys);
  if (arguments.json) {
    std::cout << to_json(report).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cout << to_text(report);
  }
  return report.intact() ? kWell : kNotIntact;
}

int export_log(const Arguments& arguments) {
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
  if (!out) return unusable({Code::kInternal, "the export could not be written whole"});
  return kWell;
}

}  // namespace

bool is_audit_command(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "audit"; }

int run_audit(int argc, char** argv) {
  CLI::App app(kAbout, "da-console audit");
  app.require_subcommand(1);
  Arguments arguments;
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("FILE", arguments.log, "the log, or an export of one; that of this user's runs unless given");
    command->add_option("--config", arguments.config, "the policy's configuration, which says where its log is");
    return command;
  };
  CLI::App* shows = add("show", "print records, oldest first");
  shows->add_option("--task", arguments.filter.task, "of this task; the start of its id is enough");
  shows
      ->add_option("--kind", arguments.filter.kinds,
                   "of these kinds: started, task_opened, verdict, question, answer, question_ended, grant, outcome,\n"
                   "task_closed, write_lock, halt, pause, resume, rules, recovered, stopped")
      ->check(CLI::Validator(unknown_kind, ""));
  shows->add_option("--since", arguments.since, "not older than 30s, 10m, 2h or 7d, or than 2026-11-21[T09:30]");
  shows->add_option("--last", arguments.last, "only so many, the newest");
  shows->add_flag("--json", arguments.json, "the records as they are, one object a line");
  CLI::App* verifies = add("verify", "check that nothing was changed, removed, added, moved or cut off");
  verifies->add_option("--key", arguments.keys,
                       "only heads signed with this public key count: 64 hexadecimal digits or a file.\n"
                       "Record \"started\" names the key of each start; pin one that you noted elsewhere");
  verifies->add_flag("--json", arguments.json, "for scripts; one object");
  CLI::App* exports = add("export", "write records and signed heads as JSON lines, for someone else to verify");
  exports->add_option("--output", arguments.output, "the file to write; stdout unless given");
  exports->add_flag("--csv", arguments.csv, "as a table for a spreadsheet; it cannot be verified");
  for (CLI::App* command : {verifies, exports}) {
    command->add_option("--heads", arguments.heads, "the signed heads; those of the log unless given");
  }
  app.footer("Exit codes: 0 done (verify: intact), 1 not intact, 2 bad usage or a file that cannot be read.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kWell : kUnusable;
  }
  if (const auto found = find_files(arguments); !found) return unusable(found.error());
  if (shows->parsed()) return show(arguments);
  return verifies->parsed() ? verify(arguments) : export_log(arguments);
}

}  // namespace da::policy
