// What must be written, but must keep nobody waiting: a halt is in force before any disk knows of it. A thread does the
// work in the order in which it was given. Any thread; destruction does what is left.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "lib/base/clock.h"

namespace da::policy {

class DiskWork {
 public:
  DiskWork() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void add(std::function<void()> work);
  // True once all that was added is done; false where the time is over before.
  bool wait_until_done(Milliseconds at_most);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any added_;
  std::condition_variable done_;
  std::deque<std::function<void()>> waiting_;
  bool working_ = false;
  std::jthread thread_;  // Last: it uses the others.
};

}  // namespace da::policy
