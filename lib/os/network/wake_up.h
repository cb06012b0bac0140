// Wakes a thread that waits for sockets: a descriptor that becomes readable when another thread calls notify(). An
// eventfd; on Windows, where only sockets can be waited for together, a loopback datagram socket connected to itself.
#pragma once

#include <cstdint>
#include <memory>

#include "lib/base/result.h"

namespace da::os {

class WakeUp {
 public:
  static Result<std::unique_ptr<WakeUp>> open();
  virtual ~WakeUp() = default;

  // Any thread. Does not block; several calls before a clear() count as one.
  virtual void notify() = 0;
  // The waiting thread: makes the descriptor unreadable until the next notify().
  virtual void clear() = 0;
  // poll() and ZeroMQ can wait for it; a SOCKET on Windows. Belongs to this object.
  virtual std::intptr_t descriptor() const = 0;
};

}  // namespace da::os
