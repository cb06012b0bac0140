// A UDP socket. One thread receives; any thread may send or wake it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/network/host_port.h"

namespace da::os {

class DatagramSocket {
 public:
  struct Received {
    std::string bytes;
    std::string from;  // The sender's address as the system has it; for send().
  };

  // Receives what is sent to this address. kAlreadyExists: another process does.
  static Result<std::unique_ptr<DatagramSocket>> bind(const HostPort& address);
  // Sends to this address, and receives from it alone.
  static Result<std::unique_ptr<DatagramSocket>> connect(const HostPort& address);
  virtual ~DatagramSocket() = default;

  // nullopt: nothing came in time, or wake() was called. A larger datagram is cut. kUnavailable: the connected address
  // has no receiver.
  virtual Result<std::optional<Received>> receive(std::size_t largest, Milliseconds timeout) = 0;
  // An empty address is the connected one. A datagram that cannot be sent is lost.
  virtual void send(std::string_view bytes, const std::string& to) = 0;
  // Ends a receive() of another thread, or the next one.
  virtual void wake() = 0;
};

}  // namespace da::os
