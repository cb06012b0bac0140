// Facts on their way to a socket. A thread of its own sends them in batches, about a millisecond after the first of a
// batch. So the publishing thread waits for no socket, and publisher and readers wake once for each batch instead of
// once for each fact (a step publishes four). docs/design/0036.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lib/bus/transport.h"

namespace da::bus {

class Outbox {
 public:
  struct Fact {
    Lane lane;
    std::string topic;
    Payload payload;
  };
  // Maximum numbers of waiting facts and images. Later ones are dropped until the thread takes these.
  struct Limits {
    std::size_t facts;
    std::size_t images;
  };
  using Send = std::function<void(const Fact&)>;

  // `send` is called on the outbox's thread, in the order of add(). It must not throw.
  Outbox(Limits limits, Send send);
  // Sends what is left.
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // Any thread.
  void add(Fact fact);
  // Sends at once what was added before, instead of after the batch's time. Waits for it, but not longer than
  // `timeout`.
  void flush(std::chrono::milliseconds timeout);

 private:
  void run();

  const Limits limits_;
  const Send send_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable sent_;
  std::vector<Fact> waiting_;
  std::size_t images_ = 0;  // Number of images in waiting_.
  std::uint64_t added_ = 0;
  std::uint64_t done_ = 0;  // Number of added facts that were sent.
  bool asleep_ = false;     // The thread waits for add().
  bool hurry_ = false;      // A flush() waits.
  bool stop_ = false;
  std::thread thread_;  // Last: it uses the other members.
};

}  // namespace da::bus
