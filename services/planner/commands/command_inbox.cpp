#include "services/planner/commands/command_inbox.h"

#include <utility>

#include "lib/contract/json/parse.h"

namespace da::planner {
namespace {

// The longest time until a wait notices that the console is gone.
constexpr Milliseconds kLookAtClock{200};

Error invalid(std::string problem) { return {Code::kInvalidArgument, std::move(problem)}; }

}  // namespace

Result<v1::RunCommandReply> CommandInbox::run(const v1::RunCommandRequest& request, Milliseconds max_wait) {
  std::unique_lock lock(mutex_);
  heard_ = clock_.now();
  if (request.number() == 0) return v1::RunCommandReply();
  if (request.number() != number_) RETURN_IF_ERROR(accept(request));
  if (!request.has_action()) {
    lock.unlock();
    end_if_paused();
    lock.lock();
  }
  ++callers_;
  changed_.wait_for(lock, max_wait, [&] { return answer_.has_value() || request.number() != number_; });
  --callers_;
  heard_ = clock_.now();
  if (request.number() != number_) return invalid("another command was sent meanwhile");
  return reply();
}

Result<void> CommandInbox::accept(const v1::RunCommandRequest& request) {
  if (number_ > 0 && !answer_) return invalid("the command before is not answered yet");
  if (request.number() != number_ + 1) {
    return invalid("the next command has number " + std::to_string(number_ + 1) + ", not " +
                   std::to_string(request.number()));
  }
  if (request.command_id().size() > contract::kMaxCommandId) return invalid("the command's id is too long");
  if (request.has_action()) RETURN_IF_ERROR(contract::validate(request.action()));
  number_ = request.number();
  answer_ = closed_;
  if (answer_) return ok();
  if (!request.has_action()) {
    ended_ = true;  // Answered by close().
  } else if (paused_) {
    answer_ = paused_;
  } else {
    waiting_ = Command{request.command_id(), request.action()};
  }
  changed_.notify_all();
  return ok();
}

v1::RunCommandReply CommandInbox::reply() const {
  v1::RunCommandReply reply;
  reply.set_answered(answer_.has_value());
  if (answer_) *reply.mutable_answer() = *answer_;
  return reply;
}

bool CommandInbox::console_is_gone() const { return callers_ == 0 && clock_.now() - heard_ >= kConsoleTimeout; }

Result<std::optional<Command>> CommandInbox::next(std::stop_token stop, MonoTime until) {
  std::unique_lock lock(mutex_);
  if (!std::exchange(counts_silence_, true)) heard_ = clock_.now();
  while (true) {
    if (stop.stop_requested()) return Error{Code::kCancelled, "stopped while it waited for a command"};
    if (waiting_) return std::exchange(waiting_, std::nullopt);
    if (ended_) return std::optional<Command>();
    if (clock_.now() >= until) return Error{Code::kFailedPrecondition, "the time limit of the task is over"};
    if (console_is_gone()) return Error{Code::kNotFound, "the console that sends the commands is gone"};
    changed_.wait_for(lock, stop, kLookAtClock, [&] { return waiting_.has_value() || ended_; });
  }
}

void CommandInbox::answer(v1::CommandAnswer answer) {
  {
    const std::lock_guard lock(mutex_);
    if (answer_ || number_ == 0) return;
    answer_ = std::move(answer);
  }
  changed_.notify_all();
}

void CommandInbox::pause(v1::CommandAnswer answer) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_) answer_ = answer;
    waiting_.reset();
    paused_ = std::move(answer);
  }
  changed_.notify_all();
  end_if_paused();
}

// Without the lock, because a cancel wakes next().
void CommandInbox::end_if_paused() {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_ || !paused_) return;
  }
  cancel_.cancel("there are no more commands, and the task was paused");
}

void CommandInbox::resume() {
  const std::lock_guard lock(mutex_);
  paused_.reset();
}

void CommandInbox::close(v1::CommandAnswer open, v1::CommandAnswer later) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    if (number_ > 0 && !answer_) answer_ = std::move(open);
    waiting_.reset();
    closed_ = std::move(later);
  }
  changed_.notify_all();
}

}  // namespace da::planner
