#include "services/console/profiles/service_programs.h"

#include <sstream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/memory_file.h"
#include "lib/os/process/child_process.h"
#include "services/console/session/given_files.h"
#include "services/console/session/service_environment.h"

namespace da::console {
namespace {

using Json = nlohmann::ordered_json;

constexpr Milliseconds kLongestRun{60'000};
constexpr int kErrors = 2;  // Exit code of `profile check` for an unusable file.

Result<os::Finished> run(const std::string& service, std::vector<std::string> arguments, std::string_view input) {
  ASSIGN_OR_RETURN(const auto file, os::make_memory_file(input));
  return os::run_to_end({.program = service_program(service).string(),
                         .arguments = std::move(arguments),
                         .environment = environment_of(service),
                         .input = file.get()},
                        system_clock().now() + kLongestRun);
}

}  // namespace

Result<Json> add_to_profile(const ProfileAddition& addition) {
  // Absolute, so that no path looks like a flag.
  std::vector<std::string> arguments = {"profile", "add", addition.list,
                                        text_of(std::filesystem::absolute(addition.profile)),
                                        addition.entry.dump(-1, ' ', false, Json::error_handler_t::replace)};
  if (addition.replace) arguments.emplace_back("--replace");
  ASSIGN_OR_RETURN(const auto finished, run("planner", std::move(arguments), addition.picture));
  if (finished.exit_code != 0) {
    return Error{Code::kAborted, "nothing was added to " + quote_foreign(text_of(addition.profile))};
  }
  auto answer = Json::parse(finished.output, nullptr, false);
  if (!answer.is_object()) return Error{Code::kInternal, "da-planner printed an unreadable answer"};
  return answer;
}

Result<ProfileCheck> check_profile(const std::filesystem::path& file, const std::string& shown) {
  ASSIGN_OR_RETURN(const auto finished,
                   run("planner", {"profile", "check", "--json", text_of(std::filesystem::absolute(file))}, {}));
  ProfileCheck check;
  check.has_errors = !finished.exit_code || *finished.exit_code >= kErrors;
  std::istringstream lines(finished.output);
  for (std::string line; std::getline(lines, line);) {
    const Json problem = Json::parse(line, nullptr, false);
    if (!problem.is_object()) continue;
    check.problems.push_back(escape_foreign(shown, 300) + ":" + std::to_string(problem.value("line", 0)) + ":" +
                             std::to_string(problem.value("column", 0)) + ": " + problem.value("severity", "") + ": " +
                             escape_foreign(problem.value("message", ""), 2000));
  }
  return check;
}

Result<std::string> profile_summary(std::string_view text, const std::vector<std::string>& variables) {
  std::vector<std::string> arguments = {"profile", "summary", "-"};
  for (const std::string& name : variables) arguments.insert(arguments.end(), {"--variable", name});
  ASSIGN_OR_RETURN(const auto finished, run("planner", std::move(arguments), text));
  if (finished.exit_code == 0) return finished.output;
  return Error{Code::kFailedPrecondition, "da-planner cannot say what the profile does: " + finished.ended};
}

Result<std::string> crop_picture(const std::string& picture, const Rect& part) {
  const std::string place = std::to_string(part.x) + "," + std::to_string(part.y) + "," + std::to_string(part.width) +
                            "," + std::to_string(part.height);
  ASSIGN_OR_RETURN(const auto finished, run("observer", {"crop", "--part", place}, picture));
  if (finished.exit_code == 0) return finished.output;
  return Error{Code::kFailedPrecondition, "da-observer cannot cut the picture out: " + finished.ended};
}

}  // namespace da::console
