#include "lib/bus/memory_transport.h"

#include <algorithm>

namespace da::bus {

class MemorySink final : public Sink {
 public:
  explicit MemorySink(std::shared_ptr<MemoryBus> bus) : bus_(std::move(bus)) {}
  void send(Lane, std::string_view topic, Payload payload) override { bus_->send(topic, *payload); }
  void flush(Milliseconds) override {}

 private:
  std::shared_ptr<MemoryBus> bus_;
};

class MemorySource final : public Source {
 public:
  MemorySource(std::shared_ptr<MemoryBus> bus, std::shared_ptr<MemoryBus::Queue> queue)
      : bus_(std::move(bus)), queue_(std::move(queue)) {}

  Result<void> wait_in_force(MonoTime) override { return ok(); }

  Result<std::optional<RawFact>> receive(MonoTime deadline) override {
    std::unique_lock lock(bus_->mutex_);
    if (!bus_->arrived_.wait_until(lock, deadline, [&] { return !queue_->facts.empty(); })) {
      return std::optional<RawFact>();
    }
    std::optional<RawFact> fact = std::move(queue_->facts.front());
    queue_->facts.pop_front();
    return fact;
  }

 private:
  std::shared_ptr<MemoryBus> bus_;
  std::shared_ptr<MemoryBus::Queue> queue_;
};

std::shared_ptr<MemoryBus> MemoryBus::create() { return std::shared_ptr<MemoryBus>(new MemoryBus()); }

std::unique_ptr<Sink> MemoryBus::sink() { return std::make_unique<MemorySink>(shared_from_this()); }

std::unique_ptr<Source> MemoryBus::source(std::vector<std::string> topics) {
  const std::lock_guard lock(mutex_);
  queues_.push_back(std::make_shared<Queue>(Queue{std::move(topics), {}}));
  return std::make_unique<MemorySource>(shared_from_this(), queues_.back());
}

void MemoryBus::drop_next(int count) {
  const std::lock_guard lock(mutex_);
  drop_ = count;
}

void MemoryBus::send(std::string_view topic, std::string_view payload) {
  const std::lock_guard lock(mutex_);
  if (drop_ > 0) {
    --drop_;
    return;
  }
  for (const auto& queue : queues_) {
    if (std::ranges::find(queue->topics, topic) != queue->topics.end()) {
      queue->facts.push_back({std::string(topic), std::string(payload)});
    }
  }
  arrived_.notify_all();
}

}  // namespace da::bus
