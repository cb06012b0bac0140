#include "services/console/profiles/pick.h"

#include "lib/base/text.h"
#include "lib/os/process/child_process.h"
#include "lib/os/process/pipe.h"
#include "services/console/commands/commands.h"
#include "services/console/pixels.h"
#include "services/console/session/attended_child.h"
#include "services/console/session/given_files.h"
#include "services/console/session/service_environment.h"

namespace da::console {
namespace {

constexpr std::int64_t kPatienceSeconds = 60;  // Time that the person has.
constexpr Milliseconds kGrace{10'000};         // Time for the program to start and end.
constexpr std::size_t kMaxOutput = 1000;
constexpr int kCancelledByPerson = 130;

}  // namespace

Result<Rect> pick_place() {
  ASSIGN_OR_RETURN(os::Pipe pipe, os::make_pipe());
  ASSIGN_OR_RETURN(auto child,
                   os::ChildProcess::start({.program = service_program("actuator").string(),
                                            .arguments = {"pick", "--seconds", std::to_string(kPatienceSeconds)},
                                            .environment = environment_of("actuator"),
                                            .output = pipe.writer.get()}));
  pipe.writer.reset();
  const auto deadline = system_clock().now() + std::chrono::seconds(kPatienceSeconds) + kGrace;
  ASSIGN_OR_RETURN(const std::string ended, attend(child, stop_signals(), deadline));
  if (child.exit_code() == kCancelledByPerson) return Error{Code::kCancelled, "nothing was picked"};
  if (child.exit_code() != 0) return Error{Code::kFailedPrecondition, "nothing was picked: da-actuator: " + ended};
  ASSIGN_OR_RETURN(const std::string output, os::read_to_end(std::move(pipe.reader), kMaxOutput));
  const auto marked = parse_rect(trim(output));
  if (!marked) return Error{Code::kInternal, "da-actuator printed an unreadable place"};
  return *marked;
}

}  // namespace da::console
