#include "services/policy/stopping/background_work.h"

#include <utility>

namespace da::policy {

void BackgroundWork::add(std::function<void()> work) {
  const std::lock_guard hold(mutex_);
  waiting_.push_back(std::move(work));
  added_.notify_one();
}

bool BackgroundWork::wait_until_done(Milliseconds at_most) {
  std::unique_lock hold(mutex_);
  return done_.wait_for(hold, at_most, [this] { return waiting_.empty() && !working_; });
}

void BackgroundWork::run(const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  while (added_.wait(hold, stop, [this] { return !waiting_.empty(); }) || !waiting_.empty()) {
    const auto work = std::move(waiting_.front());
    waiting_.pop_front();
    working_ = true;
    hold.unlock();
    work();
    hold.lock();
    working_ = false;
    done_.notify_all();
  }
}

}  // namespace da::policy
