#include "services/console/commands/task_follower.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <iostream>

#include "services/console/commands/commands.h"
#include "services/console/session/question_watch.h"

namespace da::console {
namespace {

constexpr Milliseconds kAwaitTurn{1000};
constexpr int kPendingEveryMs = 200;  // The period of polling the policy for approvals.
// The longest wait for the planner's result after another service died.
constexpr Milliseconds kLastWords{1500};
constexpr Milliseconds kCancelGrace{3000};
// The longest time from a broken connection to the end of its process.
constexpr Milliseconds kDeathFollows{300};

}  // namespace

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

TaskFollower::TaskFollower(const Session& session, std::string task_id, std::vector<int> service_descriptors,
                           FindDead find_dead, QuestionIsOpen question_is_open, StepIsInDoubt step_is_in_doubt,
                           StatusLine& status, Terminal terminal)
    : session_(session),
      pictures_(ApprovalPictures::of(session.config_file())),
      task_id_(std::move(task_id)),
      service_descriptors_(std::move(service_descriptors)),
      find_dead_(std::move(find_dead)),
      question_is_open_(std::move(question_is_open)),
      step_is_in_doubt_(std::move(step_is_in_doubt)),
      terminal_(terminal),
      status_(status),
      result_ready_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { await_result(); });
}

TaskFollower::~TaskFollower() {
  stop_ = true;
  thread_.join();
}

void TaskFollower::await_result() {
  pthread_setname_np(pthread_self(), "await-task");
  while (!stop_) {
    const auto reply = session_.planner().await(task_id_, kAwaitTurn);
    if (reply && !reply->ended()) continue;
    Followed followed;
    if (reply) {
      followed = {exit_code_of(reply->result().end()), reply->result().summary(), reply->result()};
    } else {
      followed = {exit_code_of(reply.error()), reply.error().message, std::nullopt};
    }
    const std::lock_guard lock(mutex_);
    followed_ = std::move(followed);
    const std::uint64_t one = 1;
    static_cast<void>(!::write(result_ready_.get(), &one, sizeof one));
    return;
  }
}

std::optional<Followed> TaskFollower::take_result() {
  const std::lock_guard lock(mutex_);
  return followed_;
}

Followed TaskFollower::wait_for_result(MonoTime deadline, Followed otherwise) {
  pollfd polled{result_ready_.get(), POLLIN, 0};
  const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now()).count();
  ::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(0, left)));
  const auto followed = take_result();
  return followed && followed->result ? *followed : otherwise;
}

Followed TaskFollower::after_death(const DeadService& dead) {
  status_.hold();
  std::cerr << dead.text << std::endl;
  // The planner does not need the recorder. Without the cancellation the policy halts, and the halt outlives this run.
  if (dead.name == "recorder") static_cast<void>(session_.planner().cancel(task_id_, dead.text));
  // A step that waits for an approval is not granted, so its outcome is known.
  if (question_is_open_()) return {kServiceLost, dead.text, std::nullopt};
  Followed followed = wait_for_result(system_clock().now() + kLastWords, {kServiceLost, dead.text, std::nullopt});
  if (followed.exit_code != kOutcomeUnknown && followed.exit_code != kDone) followed.exit_code = kServiceLost;
  return without_result(std::move(followed));
}

// Without the planner's result, the step that was granted last may still be running.
Followed TaskFollower::without_result(Followed followed) {
  if (followed.result || followed.exit_code != kServiceLost) return followed;
  if (!step_is_in_doubt_(system_clock().now() + kLastWords)) return followed;
  followed.exit_code = kOutcomeUnknown;
  followed.message += "; whether the step that was granted last has happened is not known, look at the desktop";
  return followed;
}

// A connection breaks shortly before its process ends.
std::optional<DeadService> TaskFollower::wait_for_death(Milliseconds at_most) {
  std::vector<pollfd> polled;
  for (const int descriptor : service_descriptors_) polled.push_back({descriptor, POLLIN, 0});
  if (!polled.empty()) ::poll(polled.data(), polled.size(), static_cast<int>(at_most.count()));
  return find_dead_();
}

// The planner may report a lost policy shortly before the policy's process ends.
Followed TaskFollower::after_result(Followed followed) {
  if (!followed.result && followed.exit_code == kServiceLost) {
    if (const auto dead = wait_for_death(kDeathFollows)) return after_death(*dead);
  }
  if (followed.exit_code == kOutcomeUnknown && question_is_open_()) {
    followed.exit_code = kServiceLost;
    followed.message = "da-policy cannot be reached; the step that waited for an approval was not carried out";
  }
  return without_result(std::move(followed));
}

Followed TaskFollower::interrupted(int signal_fd) {
  signalfd_siginfo info{};
  static_cast<void>(!::read(signal_fd, &info, sizeof info));
  status_.hold();
  std::cerr << "interrupted: stopping the task" << std::endl;
  const auto cancelled = session_.planner().cancel(task_id_, "interrupted at the console");
  Followed followed{kInterrupted, "interrupted", std::nullopt};
  if (!cancelled) return followed;
  followed = wait_for_result(system_clock().now() + kCancelGrace, followed);
  if (followed.exit_code != kOutcomeUnknown) followed.exit_code = kInterrupted;
  return followed;
}

void TaskFollower::ask_about_pending(Answerer& answerer) {
  const auto pending = pending_approvals(session_.policy(), pictures_);
  const std::string trouble = pending ? trouble_.worked() : trouble_.failed(pending.error());
  if (!trouble.empty()) {
    status_.hold();
    std::cerr << trouble << std::endl;
  }
  if (!pending) return;
  if (!pending->pending().empty()) status_.hold();
  answerer.update(*pending);
  if (pending->pending().empty() && !asks_ && !answerer.is_busy()) status_.release();
}

void TaskFollower::ask(Answerer& answerer, const v1::ListQuestionsReply& questions) {
  asks_ = !questions.questions().empty();
  if (asks_) status_.hold();
  answerer.update(questions);
}

Followed TaskFollower::follow() {
  const sigset_t signals = stop_signals();
  const os::UniqueFd signal_fd(::signalfd(-1, &signals, SFD_CLOEXEC));
  Answerer answerer(session_.policy(), session_.planner(), pictures_, terminal_);
  QuestionWatch questions(session_.planner());
  while (true) {
    std::vector<pollfd> polled = {{signal_fd.get(), POLLIN, 0},
                                  {result_ready_.get(), POLLIN, 0},
                                  {answerer.descriptor(), POLLIN, 0},
                                  {questions.descriptor(), POLLIN, 0}};
    for (const int descriptor : service_descriptors_) polled.push_back({descriptor, POLLIN, 0});
    ::poll(polled.data(), polled.size(), kPendingEveryMs);
    if (polled[0].revents != 0) return interrupted(signal_fd.get());
    if (const auto dead = find_dead_()) return after_death(*dead);
    if (polled[1].revents != 0) return after_result(*take_result());
    if (polled[2].revents != 0) answerer.read_answer();
    if (const auto news = questions.take()) ask(answerer, *news);
    ask_about_pending(answerer);
  }
}

}  // namespace da::console
