// profile: da-planner checks and explains rule profiles. For the present screen, this program looks for it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "da/v1/history.pb.h"
#include "lib/base/text.h"
#include "lib/os/process/child_process.h"
#include "lib/os/process/pipe.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/session/given_files.h"
#include "services/console/session/look_at_desktop.h"
#include "services/console/session/service_environment.h"

namespace da::console {
namespace {

constexpr std::size_t kMaxRequestBytes = 16 << 20;
constexpr Milliseconds kEndTimeout{60'000};

// The flags of `profile explain` that concern this program.
struct ExplainFlags {
  std::string config;
  std::string desktop;
  std::string image;
  std::string recording;
  bool help = false;
  std::vector<std::string> others;
};

// Nothing is an error here: da-planner parses all of them.
ExplainFlags read_flags(std::vector<std::string> arguments) {
  ExplainFlags flags;
  CLI::App app;
  app.allow_extras();
  app.set_help_flag();
  app.add_option("--config", flags.config);
  app.add_option("--desktop", flags.desktop);
  app.add_option("--image", flags.image);
  app.add_option("--recording", flags.recording);
  app.add_flag("-h,--help", flags.help);
  std::ranges::reverse(arguments);  // CLI11 takes the last one first.
  try {
    app.parse(arguments);
    flags.others = app.remaining();
  } catch (const CLI::ParseError&) {
    flags.help = true;  // Passed on as it is, for da-planner's error.
  }
  return flags;
}

Result<void> answer(const ObserverClient& observer, v1::ObserverAnswer& fact) {
  const auto put = [&](const auto& reply, auto* into) -> Result<void> {
    if (reply) {
      *into = *reply;
    } else if (reply.error().code == Code::kUnavailable || reply.error().code == Code::kDeadlineExceeded) {
      return reply.error();
    } else {
      fact.set_error(reply.error().message);
    }
    return ok();
  };
  if (fact.has_analyze()) {
    const auto reply = observer.analyze(fact.analyze());
    return put(reply, reply ? fact.mutable_analysis() : nullptr);
  }
  if (fact.has_locate()) {
    const auto reply = observer.locate(fact.locate());
    return put(reply, reply ? fact.mutable_located() : nullptr);
  }
  return Error{Code::kInternal, "da-planner asks for something that `profile explain` does not look at"};
}

// Answers the requests of da-planner until it ends. Returns its exit code.
Result<int> converse(const ObserverClient& observer, const std::vector<std::string>& arguments) {
  ASSIGN_OR_RETURN(os::Pipe requests, os::make_pipe());
  ASSIGN_OR_RETURN(os::Pipe answers, os::make_pipe());
  os::Command command;
  command.program = service_program("planner").string();
  command.arguments = {"profile"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.arguments.insert(command.arguments.end(), {"--requests-fd", std::to_string(requests.writer.get())});
  command.environment = environment_of("planner");
  command.inherited = {requests.writer.get()};
  command.input = answers.reader.get();
  ASSIGN_OR_RETURN(auto planner, os::ChildProcess::start(command));
  requests.writer.reset();
  answers.reader.reset();
  while (true) {
    ASSIGN_OR_RETURN(const auto bytes, os::read_message(requests.reader.get(), kMaxRequestBytes));
    if (!bytes) break;
    v1::ObserverAnswer fact;
    if (!fact.ParseFromString(*bytes)) return Error{Code::kInternal, "da-planner's request cannot be read"};
    RETURN_IF_ERROR(answer(observer, fact));
    RETURN_IF_ERROR(os::write_message(answers.writer.get(), fact.SerializeAsString()));
  }
  const auto ended = planner.wait(system_clock().now() + kEndTimeout);
  if (!planner.exit_code()) {
    return Error{Code::kInternal, "da-planner did not end: " + ended.value_or("it still runs")};
  }
  return *planner.exit_code();
}

int explain_screen(const std::filesystem::path& config, const std::string& backend, const ExplainFlags& flags) {
  int exit_code = kDone;
  const auto looked = look_at_desktop({.config = flags.config.empty() ? config : std::filesystem::path(flags.config),
                                       .backend = flags.desktop.empty() ? backend : flags.desktop,
                                       .purpose = "profile explain: regions and elements"},
                                      [&](const ObserverClient& observer) -> Result<void> {
                                        ASSIGN_OR_RETURN(exit_code, converse(observer, flags.others));
                                        return ok();
                                      });
  return looked ? exit_code : report(looked.error());
}

}  // namespace

int profile(const std::filesystem::path& config, const std::string& backend,
            const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() != "explain") return run_service_command("planner", "profile", arguments);
  const ExplainFlags flags = read_flags(arguments);
  const bool looks = !flags.help && flags.image.empty() && flags.recording.empty() && flags.others.size() > 1;
  if (looks) return explain_screen(config, backend, flags);
  if (flags.help || flags.recording.empty()) return run_service_command("planner", "profile", arguments);
  ASSIGN_OR_REPORT(const auto recording, find_recording(flags.recording));
  auto passed = flags.others;
  passed.insert(passed.end(), {"--recording", recording.string()});
  if (!flags.image.empty()) passed.insert(passed.end(), {"--image", flags.image});
  return run_service_command("planner", "profile", passed);
}

}  // namespace da::console
