#include "services/actuator/held_watch.h"

#include <pthread.h>

namespace da::actuator {
namespace {

constexpr Milliseconds kTurn{100};

}  // namespace

HeldWatch::HeldWatch(Executor& executor) : executor_(executor), thread_([this] { run(); }) {}

HeldWatch::~HeldWatch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void HeldWatch::run() {
  pthread_setname_np(pthread_self(), "held-watch");
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kTurn, [this] { return stop_; })) executor_.look_after_held();
}

}  // namespace da::actuator
