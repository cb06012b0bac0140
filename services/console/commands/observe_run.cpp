// status, watch and attach: looking at a run that somebody started.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <iostream>

#include "lib/os/unique_fd.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/question_watch.h"
#include "services/console/session/session.h"
#include "services/console/terminal/answerer.h"
#include "services/console/terminal/event_stream.h"
#include "services/console/terminal/list_trouble.h"
#include "services/console/terminal/service_text.h"
#include "services/console/terminal/stream_view.h"

namespace da::console {
namespace {

constexpr Milliseconds kDescribeTimeout{1500};
constexpr int kTurnMs = 200;
// A policy that did not answer for so long is gone, and the run with it.
constexpr Milliseconds kSilence{2000};

// What a person who comes late has missed: the task, its step, and what waits for an answer.
void print_summary(const Session& session) {
  std::cout << "so far:\n";
  for (const std::string name : {"planner", "policy"}) {
    const auto channel = session.channel_to(name);
    const auto description = channel ? describe_service(*channel, kDescribeTimeout) : channel.error();
    std::cout << summary_text(name, description);
  }
  std::cout << std::flush;
}

std::unique_ptr<FactView> view_of(Format format) {
  if (format == Format::kJson) return std::make_unique<JsonView>();
  return std::make_unique<LineView>(system_clock().now());
}

// Asked where the list of approvals fails, which says nothing about the run: the list may be too large, or late.
bool policy_answers(const Session& session) {
  const auto channel = session.channel_to("policy");
  return channel && describe_service(*channel, kDescribeTimeout);
}

enum class Ask { kNobody, kThePerson };

// Until Ctrl+C, or until the run is over.
int follow_run(const std::filesystem::path& config, Format format, Ask ask) {
  auto session = Session::open(config);
  if (!session) return report(session.error());
  auto subscriber = session->subscribe(bus::Images::kWithout);
  if (!subscriber) return report(subscriber.error());
  if (format == Format::kLines) print_summary(*session);
  EventStream events(*std::move(subscriber), view_of(format));
  const auto pictures = ApprovalPictures::of(session->config_file());
  Answerer answerer(session->policy(), session->planner(), pictures);
  ListTrouble trouble(system_clock());
  std::optional<QuestionWatch> questions;
  if (ask == Ask::kThePerson) questions.emplace(session->planner());
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  const os::UniqueFd signal_fd(::signalfd(-1, &signals, SFD_CLOEXEC));
  for (MonoTime heard = system_clock().now(); system_clock().now() - heard < kSilence;) {
    pollfd polled[] = {{signal_fd.get(), POLLIN, 0},
                       {questions ? answerer.descriptor() : -1, POLLIN, 0},
                       {questions ? questions->descriptor() : -1, POLLIN, 0}};
    ::poll(polled, std::size(polled), kTurnMs);
    if (polled[0].revents != 0 || events.broken()) return kDone;
    if (polled[1].revents != 0) answerer.read_answer();
    if (const auto asked = questions ? questions->take() : std::nullopt) answerer.update(*asked);
    const auto pending = pending_approvals(session->policy(), pictures);
    const std::string news = pending ? trouble.worked() : trouble.failed(pending.error());
    if (!news.empty()) std::cerr << news << std::endl;
    if (pending || policy_answers(*session)) heard = system_clock().now();
    if (pending && questions) answerer.update(*pending);
  }
  std::cerr << "the run is over\n";
  return kDone;
}

}  // namespace

int show_status(const std::filesystem::path& config, Format format) {
  const auto session = Session::open(config);
  if (!session) return report(session.error());
  int exit_code = kDone;
  for (const std::string name : kAllServices) {
    const auto channel = session->channel_to(name);
    const auto description = channel ? describe_service(*channel, kDescribeTimeout) : channel.error();
    std::cout << (format == Format::kJson ? service_json(name, description) : service_text(name, description)) << "\n";
    if (!description) exit_code = kServiceLost;
  }
  return exit_code;
}

int watch(const std::filesystem::path& config, Format format) { return follow_run(config, format, Ask::kNobody); }

int attach(const std::filesystem::path& config, Format format) { return follow_run(config, format, Ask::kThePerson); }

}  // namespace da::console
