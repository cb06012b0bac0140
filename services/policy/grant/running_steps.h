// The Execute calls in flight, so that a halt can stop them. Any thread.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>

#include "lib/base/clock.h"

namespace da::policy {

class RunningSteps {
 public:
  // Registers one call for its lifetime. A stop request of the caller stops it too.
  class Scope {
   public:
    Scope(RunningSteps& steps, std::stop_token caller);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    std::stop_token token() const { return place_->get_token(); }

   private:
    struct Stop {
      std::stop_source source;
      void operator()() { source.request_stop(); }
    };
    RunningSteps& steps_;
    std::list<std::stop_source>::iterator place_;
    std::stop_callback<Stop> with_caller_;
  };

  // True once none runs; false after the timeout.
  bool wait_until_none(Milliseconds at_most);
  void stop_all();

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<std::stop_source> sources_;
};

}  // namespace da::policy
