// A bus within one process, for tests. It loses facts only after drop_next(). Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/bus/transport.h"

namespace da::bus {

class MemoryBus : public std::enable_shared_from_this<MemoryBus> {
 public:
  static std::shared_ptr<MemoryBus> create();

  std::unique_ptr<Sink> sink();
  // Receives facts of these topics that are sent from now on.
  std::unique_ptr<Source> source(std::vector<std::string> topics);
  // Loses the next `count` facts, as a full queue would.
  void drop_next(int count);

 private:
  friend class MemorySink;
  friend class MemorySource;
  struct Queue {
    std::vector<std::string> topics;
    std::deque<RawFact> facts;
  };
  MemoryBus() = default;
  void send(std::string_view topic, std::string_view payload);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::shared_ptr<Queue>> queues_;
  int drop_ = 0;
};

}  // namespace da::bus
