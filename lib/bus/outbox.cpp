#include "lib/bus/outbox.h"

#include <pthread.h>

#include <chrono>
#include <utility>

namespace da::bus {
namespace {

constexpr std::chrono::milliseconds kBatchTime{1};
// After so many batch times without facts, the thread sleeps until add() wakes it. Waking it costs the publishing
// thread some 10 us, so it stays awake while the steps of a task follow one another.
constexpr int kAwake = 100;

}  // namespace

Outbox::Outbox(Limits limits, Send send) : limits_(limits), send_(std::move(send)), thread_([this] { run(); }) {}

Outbox::~Outbox() {
  {
    const std::lock_guard hold(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Outbox::add(Fact fact) {
  {
    const std::lock_guard hold(mutex_);
    const bool image = fact.lane == Lane::kImages;
    if (image ? images_ >= limits_.images : waiting_.size() - images_ >= limits_.facts) return;
    images_ += image ? 1 : 0;
    waiting_.push_back(std::move(fact));
    ++added_;
    if (!std::exchange(asleep_, false)) return;
  }
  changed_.notify_one();
}

void Outbox::flush(std::chrono::milliseconds timeout) {
  std::unique_lock hold(mutex_);
  hurry_ = true;
  changed_.notify_one();
  sent_.wait_for(hold, timeout, [this, last = added_] { return done_ >= last; });
}

void Outbox::run() {
  pthread_setname_np(pthread_self(), "bus-send");
  std::unique_lock hold(mutex_);
  for (int empty = 0; !stop_ || !waiting_.empty(); ++empty) {
    if (empty >= kAwake) {
      asleep_ = true;
      changed_.wait(hold, [this] { return stop_ || hurry_ || !asleep_; });
    }
    changed_.wait_for(hold, kBatchTime, [this] { return stop_ || hurry_; });
    hurry_ = false;
    if (waiting_.empty()) continue;
    empty = 0;
    const auto batch = std::exchange(waiting_, {});
    images_ = 0;
    hold.unlock();
    for (const Fact& fact : batch) send_(fact);
    hold.lock();
    done_ += batch.size();
    sent_.notify_all();
  }
}

}  // namespace da::bus
