// Who may connect to a socket of ours: answers ZeroMQ's questions about CURVE keys (https://rfc.zeromq.org/spec/27) on
// one thread for the process. Only lib/bus's .cpp files include this.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <zmq.hpp>

#include "lib/os/pipe.h"

namespace da::bus {

// The door of one socket. Any thread.
class Door {
 public:
  // May be asked from any thread, as long as the door exists. Keys are Z85.
  using Allows = std::function<bool(std::string_view curve_public)>;

  // `takes_new` is asked first of all for a new connection; those that are there stay.
  Door(Allows allows, std::function<bool()> takes_new);
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // Makes a socket that is not bound yet ask here.
  void guard(zmq::socket_t& socket, const std::string& curve_secret) const;

  // Whether somebody was let in who would not be now.
  bool has_unwelcome() const;
  // Forgets who was let in: their connections are closed.
  void forget();

 private:
  friend class Porter;
  bool let_in(const std::string& curve_public);

  const std::string name_;
  const Allows allows_;
  const std::function<bool()> takes_new_;
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> inside_;
};

}  // namespace da::bus
