// Runs work that may take long (disk writes, calls) on a thread of its own, in order, so that a halt does not wait for
// it. Any thread. The destructor finishes the queued work.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "lib/base/clock.h"

namespace da::policy {

class BackgroundWork {
 public:
  BackgroundWork() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void add(std::function<void()> work);
  // True once all added work is done; false after the timeout.
  bool wait_until_done(Milliseconds at_most);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any added_;
  std::condition_variable done_;
  std::deque<std::function<void()>> waiting_;
  bool working_ = false;
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::policy
