// Runs questions to UI Automation on a thread that can be given up when an application hangs.
//
// A thread "uia" owns a UiaClient. When a question takes longer than its deadline, the thread is abandoned: it ends by
// itself once the application answers, and the next question gets a new thread. At most kMostAbandoned threads wait so
// at a time; beyond that, questions are refused. A question must therefore own all that it uses. Any thread; calls take
// turns. The clock must outlive abandoned threads too: use system_clock().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "services/actuator/desktop/win32/ui_tree/uia/uia_client.h"

namespace da::actuator::win32 {

class UiaWorker {
 public:
  static constexpr int kMostAbandoned = 8;

  // kUnimplemented where there is no UI Automation.
  static Result<std::unique_ptr<UiaWorker>> open(UiaClient::Factory factory, const Clock& clock);
  ~UiaWorker();
  UiaWorker(const UiaWorker&) = delete;
  UiaWorker& operator=(const UiaWorker&) = delete;

  // Errors: those of the question, kDeadlineExceeded (it hangs), kUnavailable (too many hang).
  template <class T>
  Result<T> ask(std::function<Result<T>(UiaClient&)> question, MonoTime deadline) {
    const auto answer = std::make_shared<std::optional<Result<T>>>();
    RETURN_IF_ERROR(
        run([question = std::move(question), answer](UiaClient& client) { *answer = question(client); }, deadline));
    return **answer;
  }

 private:
  struct Line;  // What a thread and its caller share.

  UiaWorker(UiaClient::Factory factory, const Clock& clock);
  Result<void> start(MonoTime deadline);
  Result<void> run(std::function<void(UiaClient&)> task, MonoTime deadline);

  const UiaClient::Factory factory_;
  const Clock& clock_;
  const std::shared_ptr<KeptElements> kept_;
  std::mutex calling_;  // Guards line_ during a whole call.
  std::shared_ptr<Line> line_;
  std::shared_ptr<std::atomic<int>> abandoned_;  // Threads that still wait for an application.
};

}  // namespace da::actuator::win32
