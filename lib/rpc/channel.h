// A connection to one peer: its name for error messages, and its address ("unix:/run/x.sock"). Connects on first use
// and reconnects after the peer restarts; never blocks. Copies share the connection. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "lib/base/clock.h"
#include "lib/identity/credentials.h"

namespace grpc {
class Channel;
class ChannelCredentials;
}  // namespace grpc

namespace da::rpc {

class Channel {
 public:
  // Whether a lost connection can be made again. If not, a hanging peer gets more time until it counts as lost.
  enum class Lost { kConnectsAgain, kForGood };

  // Channel to the service with that role.
  Channel(identity::Role server, std::string address, const identity::Credentials& credentials,
          Lost lost = Lost::kConnectsAgain);
  // peer: the name in errors ("da-policy"). server_name: the name in the TLS handshake, if it is not the address.
  Channel(std::string peer, std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
          const std::string& server_name = "", Lost lost = Lost::kConnectsAgain);

  const std::string& peer() const { return peer_; }
  const std::string& address() const { return address_; }
  const std::shared_ptr<grpc::Channel>& grpc() const { return channel_; }

  // Call before each RPC. gRPC does not read an idle connection, so after kRest this checks whether the peer has closed
  // it, and the call reconnects instead of failing. After a failed attempt to connect it waits for the next attempt.
  void get_ready() const;
  // Connects if needed, and waits as long as one attempt takes. Returns whether the channel is connected.
  bool connect() const;
  // Only that check, for a caller that knows the peer may be gone. Waits at most this long for the connection to close.
  void notice_end(Milliseconds at_most) const;

  // A connection is idle after this time.
  static constexpr Milliseconds kRest{100};
  // Duration of a check that finds nothing. A shorter one may end before gRPC has read anything.
  static constexpr Milliseconds kLook{2};

 private:
  std::string peer_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
  std::shared_ptr<std::atomic<MonoTime>> last_call_ = std::make_shared<std::atomic<MonoTime>>();
};

}  // namespace da::rpc
