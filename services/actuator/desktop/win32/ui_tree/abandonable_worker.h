// Asks applications by COM on a thread that can be given up when an application hangs.
//
// A thread owns a Client, and lives in the multithreaded apartment. When a question takes longer than its deadline, the
// thread is abandoned: it ends by itself once the application answers, and the next question gets a new thread. At most
// kMostAbandoned threads wait so at a time; beyond that, questions are refused. A question must therefore own all that
// it uses. One that has not begun when its time is over never begins. Any thread; calls take turns. The clock must
// outlive abandoned threads too: use system_clock().
#pragma once

#include <objbase.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::win32 {

class ComApartment {
 public:
  ComApartment() : entered_(SUCCEEDED(::CoInitializeEx(nullptr, COINIT_MULTITHREADED))) {}
  ~ComApartment() {
    if (entered_) ::CoUninitialize();
  }
  ComApartment(const ComApartment&) = delete;
  ComApartment& operator=(const ComApartment&) = delete;

 private:
  bool entered_;
};

template <class Client>
class AbandonableWorker {
 public:
  static constexpr int kMostAbandoned = 8;
  static constexpr Milliseconds kGrace{100};

  // Makes the Client on its thread.
  using Open = std::function<Result<std::unique_ptr<Client>>()>;

  // `interface_name` stands in errors: "UI Automation". The client checks its deadline itself between two calls: only a
  // call that hangs takes longer than `grace` after it. Errors: those of `open_client`, kDeadlineExceeded.
  static Result<std::unique_ptr<AbandonableWorker>> open(std::string interface_name, Open open_client,
                                                         const Clock& clock, Milliseconds grace = kGrace) {
    std::unique_ptr<AbandonableWorker> worker(
        new AbandonableWorker(std::move(interface_name), std::move(open_client), clock, grace));
    RETURN_IF_ERROR(worker->start(clock.now() + kStartTime));
    return worker;
  }
  ~AbandonableWorker() {
    if (!line_) return;
    {
      const std::lock_guard lock(line_->mutex);
      line_->ends = true;
    }
    line_->changed.notify_all();
  }
  AbandonableWorker(const AbandonableWorker&) = delete;
  AbandonableWorker& operator=(const AbandonableWorker&) = delete;

  // Errors: those of the question, kDeadlineExceeded (it hangs, or its time was over before it began), kUnavailable
  // (too many hang).
  template <class T>
  Result<T> ask(std::function<Result<T>(Client&)> question, MonoTime deadline) {
    const auto answer = std::make_shared<std::optional<Result<T>>>();
    RETURN_IF_ERROR(
        run([question = std::move(question), answer](Client& client) { *answer = question(client); }, deadline));
    return **answer;
  }

 private:
  static constexpr Milliseconds kStartTime{5'000};
  // A busy machine may start a new thread late, and a question without a thread is lost.
  static constexpr Milliseconds kRestartTime{1'000};

  // What a thread and its caller share.
  struct Line {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<Result<void>> started;
    std::function<void(Client&)> task;  // Empty once it is done.
    bool ends = false;
    std::shared_ptr<std::atomic<int>> abandoned;  // The count that includes this thread; null if none does.
    bool left = false;                            // The thread has left its apartment.

    bool wait_for(std::unique_lock<std::mutex>& lock, MonoTime until, const Clock& clock,
                  const std::function<bool()>& condition) {
      while (!condition()) {
        const auto left = until - clock.now();
        if (left <= Nanoseconds(0)) return false;
        changed.wait_for(lock, left);
      }
      return true;
    }

    void run(const Open& open_client) {
      serve(open_client);
      const std::lock_guard lock(mutex);
      left = true;
      changed.notify_all();
    }
    void serve(const Open& open_client) {
      const ComApartment apartment;
      auto client = open_client();
      std::unique_lock lock(mutex);
      started = client ? ok() : Result<void>(client.error());
      changed.notify_all();
      while (client) {
        changed.wait(lock, [this] { return ends || task; });
        if (ends) break;  // Also if there is a task: nobody waits for it any more.
        const auto now = task;
        lock.unlock();
        now(**client);
        lock.lock();
        task = nullptr;
        changed.notify_all();
      }
      if (abandoned) --*abandoned;
    }
  };

  AbandonableWorker(std::string interface_name, Open open_client, const Clock& clock, Milliseconds grace)
      : interface_name_(std::move(interface_name)),
        open_client_(std::move(open_client)),
        clock_(clock),
        grace_(grace) {}

  // The thread is detached: it may outlive this object in a call that hangs.
  Result<void> start(MonoTime deadline) {
    auto line = std::make_shared<Line>();
    // The thread cannot end without this lock: with winpthreads, detaching a thread that has ended is an error.
    std::unique_lock lock(line->mutex);
    std::thread([line, open_client = open_client_] { line->run(open_client); }).detach();
    if (!line->wait_for(lock, deadline, clock_, [&] { return line->started.has_value(); })) {
      abandon(*line);
      return Error{Code::kDeadlineExceeded, interface_name_ + " does not start in time"};
    }
    auto started = *line->started;
    // So that another worker does not enter the process's apartment while the last thread leaves it.
    if (!started) (void)line->wait_for(lock, deadline, clock_, [&] { return line->left; });
    lock.unlock();
    if (started) line_ = std::move(line);
    return started;
  }

  Result<void> run(std::function<void(Client&)> task, MonoTime deadline) {
    const std::lock_guard calling(calling_);
    if (*abandoned_ >= kMostAbandoned) {
      return Error{Code::kUnavailable,
                   interface_name_ + " hangs in " + std::to_string(kMostAbandoned) + " applications"};
    }
    if (!line_) RETURN_IF_ERROR(start(std::max(deadline, clock_.now() + kRestartTime)));
    const auto line = line_;
    if (clock_.now() >= deadline) {
      return Error{Code::kDeadlineExceeded, "the time was over before " + interface_name_ + " could be asked"};
    }
    std::unique_lock lock(line->mutex);
    line->task = std::move(task);
    line->changed.notify_all();
    if (line->wait_for(lock, deadline + grace_, clock_, [&] { return !line->task; })) return ok();
    abandon(*line);
    line_.reset();
    return Error{Code::kDeadlineExceeded, "the application does not answer " + interface_name_ + " in time"};
  }

  // The caller holds the line's lock.
  void abandon(Line& line) {
    line.ends = true;
    line.abandoned = abandoned_;
    ++*abandoned_;
  }

  const std::string interface_name_;
  const Open open_client_;
  const Clock& clock_;
  const Milliseconds grace_;
  std::mutex calling_;  // Guards line_ during a whole call.
  std::shared_ptr<Line> line_;
  // Threads that still wait for an application.
  const std::shared_ptr<std::atomic<int>> abandoned_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace da::actuator::win32
