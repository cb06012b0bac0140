// status, watch, attach.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <iostream>

#include "lib/os/unique_fd.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/question_watch.h"
#include "services/console/session/session.h"
#include "services/console/terminal/questions/answerer.h"
#include "services/console/terminal/questions/list_trouble.h"
#include "services/console/terminal/service_text.h"
#include "services/console/terminal/stream/event_stream.h"
#include "services/console/terminal/stream/stream_view.h"

namespace da::console {
namespace {

constexpr Milliseconds kDescribeTimeout{1500};
constexpr int kTurnMs = 200;
// The run counts as over if the policy does not answer for so long.
constexpr Milliseconds kSilence{2000};

Result<v1::ServiceDescription> describe(const Session& session, const std::string& name) {
  ASSIGN_OR_RETURN(const auto channel, session.channel_to(name));
  return describe_service(channel, kDescribeTimeout);
}

// The state so far, for a person who joins later: the task, its step, and open approvals and questions.
void print_summary(const Session& session) {
  std::cout << "so far:\n";
  for (const std::string name : {"planner", "policy"}) std::cout << summary_text(name, describe(session, name));
  std::cout << std::flush;
}

std::unique_ptr<FactView> run_view(Format format) {
  if (format == Format::kJson) return std::make_unique<JsonView>();
  return std::make_unique<LineView>(system_clock().now());
}

enum class Ask { kNobody, kThePerson };

// Returns after Ctrl+C, or when the run is over.
int follow_run(const std::filesystem::path& config, Format format, Ask ask) {
  ASSIGN_OR_REPORT(auto session, Session::open(config));
  ASSIGN_OR_REPORT(auto subscriber, session.subscribe(bus::Images::kWithout));
  if (format == Format::kLines) print_summary(session);
  EventStream events(std::move(subscriber), run_view(format));
  const auto pictures = ApprovalPictures::of(session.config_file());
  Answerer answerer(session.policy(), session.planner(), pictures);
  ListTrouble trouble(system_clock());
  std::optional<QuestionWatch> questions;
  if (ask == Ask::kThePerson) questions.emplace(session.planner());
  const sigset_t signals = stop_signals();
  const os::UniqueFd signal_fd(::signalfd(-1, &signals, SFD_CLOEXEC));
  for (MonoTime heard = system_clock().now(); system_clock().now() - heard < kSilence;) {
    pollfd polled[] = {{signal_fd.get(), POLLIN, 0},
                       {questions ? answerer.descriptor() : -1, POLLIN, 0},
                       {questions ? questions->descriptor() : -1, POLLIN, 0}};
    ::poll(polled, std::size(polled), kTurnMs);
    if (polled[0].revents != 0 || events.broken()) return kDone;
    if (polled[1].revents != 0) answerer.read_answer();
    if (const auto asked = questions ? questions->take() : std::nullopt) answerer.update(*asked);
    const auto pending = pending_approvals(session.policy(), pictures);
    const std::string news = pending ? trouble.worked() : trouble.failed(pending.error());
    if (!news.empty()) std::cerr << news << std::endl;
    // The list may also fail because it is too large or late, so ask the policy for its description.
    if (pending || describe(session, "policy")) heard = system_clock().now();
    if (pending && questions) answerer.update(*pending);
  }
  std::cerr << "the run is over\n";
  return kDone;
}

}  // namespace

int show_status(const std::filesystem::path& config, Format format) {
  ASSIGN_OR_REPORT(const auto session, Session::open(config));
  int exit_code = kDone;
  for (const std::string name : kAllServices) {
    const auto description = describe(session, name);
    std::cout << (format == Format::kJson ? service_json(name, description) : service_text(name, description)) << "\n";
    if (!description) exit_code = kServiceLost;
  }
  return exit_code;
}

int watch(const std::filesystem::path& config, Format format) { return follow_run(config, format, Ask::kNobody); }

int attach(const std::filesystem::path& config, Format format) { return follow_run(config, format, Ask::kThePerson); }

}  // namespace da::console
