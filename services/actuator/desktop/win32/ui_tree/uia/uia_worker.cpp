#include "services/actuator/desktop/win32/ui_tree/uia/uia_worker.h"

#include <objbase.h>

#include <condition_variable>
#include <thread>

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kStartTime{5'000};
// A busy machine may start a new thread late, and a question without a thread is lost.
constexpr Milliseconds kRestartTime{1'000};
// The client checks its deadline itself between two calls; only a call that hangs takes longer than this after it.
constexpr Milliseconds kGrace{100};

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

}  // namespace

struct UiaWorker::Line {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<void>> started;
  std::function<void(UiaClient&)> task;  // Empty once it is done.
  bool ends = false;

  bool wait_for(std::unique_lock<std::mutex>& lock, MonoTime until, const Clock& clock,
                const std::function<bool()>& condition) {
    while (!condition()) {
      const auto left = until - clock.now();
      if (left <= Nanoseconds(0)) return false;
      changed.wait_for(lock, left);
    }
    return true;
  }

  void serve(const UiaClient::Factory& factory, const std::shared_ptr<KeptElements>& kept, const Clock& clock) {
    const ComApartment apartment;
    auto client = UiaClient::open(factory, kept, clock);
    std::unique_lock lock(mutex);
    started = client ? ok() : Result<void>(client.error());
    changed.notify_all();
    while (client) {
      changed.wait(lock, [this] { return ends || task; });
      if (!task) return;
      const auto now = task;
      lock.unlock();
      now(**client);
      lock.lock();
      task = nullptr;
      changed.notify_all();
      if (ends) return;
    }
  }
};

UiaWorker::UiaWorker(UiaClient::Factory factory, const Clock& clock)
    : factory_(std::move(factory)),
      clock_(clock),
      kept_(std::make_shared<KeptElements>()),
      abandoned_(std::make_shared<std::atomic<int>>(0)) {}

Result<std::unique_ptr<UiaWorker>> UiaWorker::open(UiaClient::Factory factory, const Clock& clock) {
  std::unique_ptr<UiaWorker> worker(new UiaWorker(std::move(factory), clock));
  RETURN_IF_ERROR(worker->start(clock.now() + kStartTime));
  return worker;
}

UiaWorker::~UiaWorker() {
  if (!line_) return;
  {
    const std::lock_guard lock(line_->mutex);
    line_->ends = true;
  }
  line_->changed.notify_all();
}

// The thread is detached: it may outlive this object in a call that hangs.
Result<void> UiaWorker::start(MonoTime deadline) {
  auto line = std::make_shared<Line>();
  std::thread([line, factory = factory_, kept = kept_, &clock = clock_] {
    line->serve(factory, kept, clock);
  }).detach();
  std::unique_lock lock(line->mutex);
  if (!line->wait_for(lock, deadline, clock_, [&] { return line->started.has_value(); })) {
    line->ends = true;
    return Error{Code::kDeadlineExceeded, "UI Automation does not start in time"};
  }
  auto started = *line->started;
  lock.unlock();
  if (started) line_ = std::move(line);
  return started;
}

Result<void> UiaWorker::run(std::function<void(UiaClient&)> task, MonoTime deadline) {
  const std::lock_guard calling(calling_);
  if (*abandoned_ >= kMostAbandoned) {
    return Error{Code::kUnavailable, "UI Automation hangs in " + std::to_string(kMostAbandoned) + " applications"};
  }
  if (!line_) RETURN_IF_ERROR(start(std::max(deadline, clock_.now() + kRestartTime)));
  const auto line = line_;
  std::unique_lock lock(line->mutex);
  line->task = [task = std::move(task), abandoned = abandoned_, line_of_task = line.get()](UiaClient& client) {
    task(client);
    const std::lock_guard after(line_of_task->mutex);
    if (line_of_task->ends) --*abandoned;
  };
  line->changed.notify_all();
  if (line->wait_for(lock, deadline + kGrace, clock_, [&] { return !line->task; })) return ok();
  line->ends = true;
  ++*abandoned_;
  line_.reset();
  return Error{Code::kDeadlineExceeded, "the application does not answer UI Automation in time"};
}

}  // namespace da::actuator::win32
