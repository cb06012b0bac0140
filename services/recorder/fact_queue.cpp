#include "services/recorder/fact_queue.h"

namespace da::recorder {
namespace {

constexpr std::size_t kOverhead = 500;  // Of each entry, besides the payload.

std::size_t size_of(const Received& received) {
  const auto* fact = std::get_if<recording::RecordedFact>(&received.what);
  return kOverhead + (fact == nullptr ? 0 : fact->payload.size());
}

}  // namespace

void FactQueue::push(Received received) {
  std::unique_lock hold(mutex_);
  changed_.wait(hold, [this] { return bytes_ < most_bytes_ || closed_; });
  if (closed_) return;
  bytes_ += size_of(received);
  queue_.push_back(std::move(received));
  changed_.notify_all();
}

std::optional<Received> FactQueue::pop(MonoTime deadline) {
  std::unique_lock hold(mutex_);
  changed_.wait_until(hold, deadline, [this] { return !queue_.empty() || closed_; });
  if (queue_.empty()) return std::nullopt;
  Received received = std::move(queue_.front());
  queue_.pop_front();
  bytes_ -= size_of(received);
  changed_.notify_all();
  return received;
}

void FactQueue::close() {
  const std::lock_guard hold(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool FactQueue::is_done() const {
  const std::lock_guard hold(mutex_);
  return closed_ && queue_.empty();
}

}  // namespace da::recorder
