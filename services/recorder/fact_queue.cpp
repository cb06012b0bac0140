#include "services/recorder/fact_queue.h"

#include "lib/bus/topics.h"

namespace da::recorder {
namespace {

constexpr std::size_t kOverhead = 500;  // Of each entry, besides the payload.

struct Share {
  std::string writer;
  std::size_t bytes = kOverhead;
};

Share share_of(const Received& received) {
  if (const auto* fact = std::get_if<recording::RecordedFact>(&received.what)) {
    return {fact->header.writer(), kOverhead + fact->payload.size()};
  }
  const auto* gap = std::get_if<v1::RecordingGap>(&received.what);
  return {gap == nullptr ? "" : gap->writer()};
}

}  // namespace

void FactQueue::push(Received received) {
  const std::lock_guard hold(mutex_);
  if (closed_) return;
  const Share share = share_of(received);
  const auto* fact = std::get_if<recording::RecordedFact>(&received.what);
  if (fact != nullptr && bytes_[share.writer] >= most_bytes_) return drop(*fact, received.at);
  add(share.writer, share.bytes, std::move(received));
}

void FactQueue::add(const std::string& writer, std::size_t bytes, Received received) {
  bytes_[writer] += bytes;
  queue_.push_back(std::move(received));
  changed_.notify_all();
}

void FactQueue::drop(const recording::RecordedFact& fact, WallTime at) {
  ++dropped_;
  const auto& header = fact.header;
  const std::string& topic = bus::topic_of(*fact.type)->name();
  const auto last = last_drops_.find(topic);
  if (last != last_drops_.end() && last->second->instance() == header.instance() &&
      last->second->to() + 1 == header.sequence()) {
    last->second->set_to(header.sequence());
    return;
  }
  // Even gaps have a limit: sequence numbers that a hostile service leaves out make one for each fact.
  if (bytes_[header.writer()] >= 2 * most_bytes_) return;
  v1::RecordingGap gap;
  gap.set_writer(header.writer());
  gap.set_instance(header.instance());
  gap.set_topic(topic);
  gap.set_from(header.sequence());
  gap.set_to(header.sequence());
  add(header.writer(), kOverhead, {std::move(gap), at});
  last_drops_[topic] = &std::get<v1::RecordingGap>(queue_.back().what);
}

std::optional<Received> FactQueue::pop(MonoTime deadline) {
  std::unique_lock hold(mutex_);
  changed_.wait_until(hold, deadline, [this] { return !queue_.empty() || closed_; });
  if (queue_.empty()) return std::nullopt;
  const auto* gap = std::get_if<v1::RecordingGap>(&queue_.front().what);
  std::erase_if(last_drops_, [&](const auto& drop) { return drop.second == gap; });
  Received received = std::move(queue_.front());
  queue_.pop_front();
  const Share share = share_of(received);
  bytes_[share.writer] -= share.bytes;
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

std::uint64_t FactQueue::dropped() const {
  const std::lock_guard hold(mutex_);
  return dropped_;
}

}  // namespace da::recorder
