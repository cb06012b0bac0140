// Authenticates peers of our ZeroMQ sockets by their CURVE keys: answers ZAP requests (https://rfc.zeromq.org/spec/27)
// on one thread for the process. Only lib/bus's .cpp files include this.
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

namespace da::bus {

// Authenticates the peers of one socket. Any thread.
class ZapAuthenticator {
 public:
  // Called from any thread until the destructor. The key is Z85.
  using Allows = std::function<bool(std::string_view curve_public)>;

  // `takes_new` is called before `allows` for each new connection. If it returns false, only existing connections stay.
  ZapAuthenticator(Allows allows, std::function<bool()> takes_new);
  ~ZapAuthenticator();
  ZapAuthenticator(const ZapAuthenticator&) = delete;
  ZapAuthenticator& operator=(const ZapAuthenticator&) = delete;

  // Makes an unbound socket use this authenticator.
  void guard(zmq::socket_t& socket, const std::string& curve_secret) const;

  // Whether a peer with an open connection is no longer allowed.
  bool has_revoked() const;
  // Call this when all connections are closed.
  void forget();

 private:
  friend class ZapServer;
  bool authenticate(const std::string& curve_public);

  const std::string name_;
  const Allows allows_;
  const std::function<bool()> takes_new_;
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> accepted_;
};

}  // namespace da::bus
