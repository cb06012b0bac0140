#include "services/console/session/question_watch.h"

#include <google/protobuf/util/message_differencer.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace da::console {
namespace {

// The longest delay of a question. The fact on the bus comes at once, but may be lost.
constexpr Milliseconds kAskEvery{300};

}  // namespace

QuestionWatch::QuestionWatch(const PlannerClient& planner)
    : planner_(planner), changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this] { watch(); }) {}

QuestionWatch::~QuestionWatch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

std::optional<v1::ListQuestionsReply> QuestionWatch::take() {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  static_cast<void>(!::read(changed_.get(), &count, sizeof count));
  return std::exchange(news_, std::nullopt);
}

void QuestionWatch::watch() {
  pthread_setname_np(pthread_self(), "questions");
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    auto reply = planner_.questions();
    lock.lock();
    if (reply) keep(*std::move(reply));
    stopped_.wait_for(lock, kAskEvery, [this] { return stop_; });
  }
}

void QuestionWatch::keep(v1::ListQuestionsReply reply) {
  if (google::protobuf::util::MessageDifferencer::Equals(reply, latest_)) return;
  latest_ = reply;
  news_ = std::move(reply);
  const std::uint64_t one = 1;
  static_cast<void>(!::write(changed_.get(), &one, sizeof one));
}

}  // namespace da::console
