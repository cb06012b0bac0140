// Halts a service by datagrams (halt_message.h): an entrance of its own beside the connections, which costs no
// descriptor for each caller and which no number of connections can block. Owns the thread "halt".
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/halt/halt_message.h"
#include "lib/identity/credentials.h"
#include "lib/os/network/datagram_socket.h"

namespace da::halt {

// A service gives this answer. `done` says whether it is halted.
struct Answer {
  bool done = false;
  std::string text;
};
// Runs on the listener's thread.
using Halt = std::function<Answer(const std::string& reason, const std::string& by)>;

class HaltListener {
 public:
  // Receives at the UDP port of the service's TCP address. Null for "unix:...": no stranger can flood it. `method`: the
  // call that does the same ("/da.v1.Policy/Halt"); who may call it may halt. `clock` must outlive the listener.
  static Result<std::unique_ptr<HaltListener>> listen(const std::string& address, std::string method,
                                                      identity::Credentials credentials, const Clock& clock, Halt halt);
  ~HaltListener();
  HaltListener(const HaltListener&) = delete;
  HaltListener& operator=(const HaltListener&) = delete;

 private:
  HaltListener(std::unique_ptr<os::DatagramSocket> socket, std::string method, identity::Credentials credentials,
               const Clock& clock, Halt halt);

  void run(const std::stop_token& stop);
  void hear(const os::DatagramSocket::Received& received);
  // nullptr: not a known peer that may halt.
  const SharedKey* key_of(const std::string& sender);
  std::string challenge_for(const std::string& sender, std::int64_t period) const;
  bool is_challenge(const Message& message, const std::string& sender) const;
  // Null: this call has not been carried out.
  const Message* answer_of(const std::string& call) const;

  const std::unique_ptr<os::DatagramSocket> socket_;
  const std::string method_;
  const identity::Credentials credentials_;
  const Clock& clock_;
  const Halt halt_;
  const std::string secret_;
  std::map<std::string, SharedKey> keys_;  // Keyed by the peer's CURVE key.
  std::deque<Message> answers_;            // Of the last calls, because a console repeats itself until it is answered.
  std::jthread thread_;                    // Last: it uses the other members.
};

}  // namespace da::halt
