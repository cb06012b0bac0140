#include "services/console/stdio/command_pump.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/json/strict_json.h"
#include "services/console/stdio/command_answer.h"

namespace da::console {
namespace {

constexpr std::uint32_t kAnswerTurnMs = 1000;  // One wait for an answer.
constexpr int kStillHereMs = 5000;             // Well below the planner's patience with a silent console.
constexpr int kLastWriteMs = 500;              // Longest wait for a slow reader while the task ends.
// A pipe that is ready takes so many bytes without blocking (PIPE_BUF).
constexpr std::size_t kAtOnce = 4096;

constexpr short kGone = POLLERR | POLLHUP | POLLNVAL;

}  // namespace

CommandPump::CommandPump(const PlannerClient& planner, std::string task_id, int in, int out)
    : planner_(planner),
      task_id_(std::move(task_id)),
      in_(in),
      out_(out),
      reader_(in, contract::kMaxJsonBytes),
      stopped_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { run(); });
}

CommandPump::~CommandPump() { stop(); }

void CommandPump::stop() {
  if (!thread_.joinable()) return;
  stop_ = true;
  const std::uint64_t one = 1;
  static_cast<void>(!::write(stopped_.get(), &one, sizeof one));
  thread_.join();
}

void CommandPump::run() {
  pthread_setname_np(pthread_self(), "commands");
  bool more = true;
  while (!stop_) {
    while (auto line = reader_.take()) {
      if (carry_out(*line) == Next::kEnd || stop_) return;
    }
    if (!more) {
      static_cast<void>(end_task());
      return;
    }
    if (!wait_for_input()) return;
    if (!stop_) more = reader_.fill();
  }
}

// False if the pump must end.
bool CommandPump::wait_for_input() {
  while (!stop_) {
    std::array<pollfd, 3> polled = {{{in_, POLLIN, 0}, {stopped_.get(), POLLIN, 0}, {out_, 0, 0}}};
    const int ready = ::poll(polled.data(), polled.size(), kStillHereMs);
    if (polled[1].revents != 0) return false;
    if ((polled[2].revents & kGone) != 0) {
      static_cast<void>(notices_gone_reader());
      return false;
    }
    if (polled[0].revents != 0) return true;
    if (ready == 0) say_still_here();
  }
  return false;
}

CommandPump::Next CommandPump::carry_out(const LineReader::Line& line) {
  if (line.too_long) {
    const std::string problem = "the command has more than " + std::to_string(contract::kMaxJsonBytes) + " bytes";
    return write(answer_line("", answer_of(v1::CommandAnswer::RESULT_INVALID, problem))) ? Next::kContinue : Next::kEnd;
  }
  if (trim(line.text).empty()) return Next::kContinue;
  const contract::ParsedCommand command = contract::parse_command(line.text);
  v1::CommandAnswer answer;
  Next next = Next::kContinue;
  if (!command.action) {
    answer = answer_of(v1::CommandAnswer::RESULT_INVALID, command.action.error().message);
  } else if (!*command.action) {
    answer = end_task();
    next = Next::kEnd;
  } else {
    answer = carry_out(command.id, **command.action);
  }
  const bool lists = command.action && *command.action && (*command.action)->has_list_windows();
  const std::string text = answer_line(command.id, answer, lists ? Windows::kAlways : Windows::kIfAny);
  return write(text) ? next : Next::kEnd;
}

v1::CommandAnswer CommandPump::carry_out(const std::string& command_id, const v1::Action& action) {
  v1::RunCommandRequest request;
  request.set_command_id(command_id);
  *request.mutable_action() = action;
  return send(std::move(request));
}

v1::CommandAnswer CommandPump::end_task() { return send({}); }

v1::CommandAnswer CommandPump::send(v1::RunCommandRequest request) {
  request.set_task_id(task_id_);
  request.set_number(++number_);
  request.set_max_wait_ms(kAnswerTurnMs);
  while (true) {
    auto reply = planner_.run_command(request);
    if (!reply) return after_lost(reply.error(), request);
    if (reply->answered()) return std::move(*reply->mutable_answer());
    if (stop_) return answer_of(v1::CommandAnswer::RESULT_UNKNOWN, "the task has ended without an answer");
    pollfd polled{out_, 0, 0};
    if (::poll(&polled, 1, 0) == 1 && (polled.revents & kGone) != 0) static_cast<void>(notices_gone_reader());
  }
}

// Without the planner's answer, the step may have been carried out, unless it changes nothing.
v1::CommandAnswer CommandPump::after_lost(const Error& error, const v1::RunCommandRequest& request) const {
  if (error.code == Code::kInvalidArgument) return answer_of(v1::CommandAnswer::RESULT_INVALID, error.message);
  const bool acts = request.has_action() && contract::risk_of(request.action()) != v1::RISK_SAFE;
  if (!acts) return answer_of(v1::CommandAnswer::RESULT_SERVICE_LOST, error.message);
  return answer_of(v1::CommandAnswer::RESULT_UNKNOWN,
                   "whether it happened is not known, and it is not repeated: " + error.message);
}

void CommandPump::say_still_here() {
  v1::RunCommandRequest request;
  request.set_task_id(task_id_);
  static_cast<void>(planner_.run_command(request));
}

// False if the line could not be written.
bool CommandPump::write(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    std::array<pollfd, 2> polled = {{{out_, POLLOUT, 0}, {stop_ ? -1 : stopped_.get(), POLLIN, 0}}};
    const int ready = ::poll(polled.data(), polled.size(), stop_ ? kLastWriteMs : kStillHereMs);
    if (ready == 0 && stop_) return false;
    if (ready == 0) say_still_here();
    if ((polled[0].revents & POLLOUT) == 0) {
      if ((polled[0].revents & kGone) != 0) return notices_gone_reader();
      continue;
    }
    const ssize_t wrote = ::write(out_, text.data() + done, std::min(kAtOnce, text.size() - done));
    if (wrote < 0 && errno != EINTR && errno != EAGAIN) return notices_gone_reader();
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  return true;
}

// Returns false, for callers that cannot go on.
bool CommandPump::notices_gone_reader() {
  if (!reader_is_gone_.exchange(true)) {
    static_cast<void>(planner_.cancel(task_id_, "nobody reads the answers to its commands any more"));
  }
  return false;
}

}  // namespace da::console
