#include "services/policy/workers.h"

namespace da::policy {

Workers::~Workers() {
  {
    const std::lock_guard hold(mutex_);
    ending_ = true;
    arrived_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::function<void()> job) {
  const std::lock_guard hold(mutex_);
  jobs_.push_back(std::move(job));
  if (jobs_.size() > idle_) threads_.emplace_back([this] { work(); });
  arrived_.notify_one();
}

void Workers::work() {
  std::unique_lock hold(mutex_);
  while (true) {
    ++idle_;
    arrived_.wait(hold, [this] { return ending_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    hold.unlock();
    job();
    hold.lock();
  }
}

}  // namespace da::policy
