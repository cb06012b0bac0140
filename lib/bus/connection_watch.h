// Limits the connections to one of our listening sockets: ZeroMQ accepts all of them, and strangers could use up the
// process's descriptors. If an address has too many unfinished handshakes, the oldest silent connection is closed, or
// else the oldest one. os::Caller defines a connection's address. One thread. Only lib/bus's .cpp files include this.
#pragma once

#include <list>
#include <string>
#include <zmq.hpp>

#include "lib/base/clock.h"
#include "lib/os/network/connection.h"
#include "lib/os/network/connection_limits.h"

namespace da::bus {

class ConnectionWatch {
 public:
  static constexpr Milliseconds kHandshakeTime{5'000};

  ConnectionWatch() : limits_(os::ConnectionLimits::of_process()) {}

  // Watches this unbound socket from now on instead of the previous one.
  void watch(zmq::socket_t& socket);
  // Becomes readable when read_events() has work. Edge-triggered, like all of ZeroMQ's descriptors.
  zmq::fd_t descriptor() { return events_.get(zmq::sockopt::fd); }
  // Reads a limited number, so that a flood does not delay the thread's other work. Returns false if some remain.
  bool read_events();

 private:
  struct Accepted {
    os::ForeignConnection connection;
    std::string address;
    MonoTime since;
  };
  void add(int descriptor);
  void forget_closed();
  void make_room_in_total();
  void make_room(const std::string& address);
  void close(std::list<Accepted>::iterator one);

  const os::ConnectionLimits limits_;
  zmq::socket_t events_;
  std::list<Accepted> accepted_;  // Oldest first.
};

}  // namespace da::bus
