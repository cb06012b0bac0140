// A way to one peer: its name for messages to people, and its address ("unix:/run/x.sock").
// Connects when it is first used, and finds the peer again when it returns; never blocks. Copies share the connection.
// Any thread.
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
  // Whether a connection that is lost can be made again. Where it cannot (os::forbid_new_unix_sockets), a peer that
  // hangs is given longer before the connection to it counts as lost.
  enum class Lost { kConnectsAgain, kForGood };

  // To the service of that role.
  Channel(identity::Role server, std::string address, const identity::Credentials& credentials,
          Lost lost = Lost::kConnectsAgain);
  // peer is the name that errors carry: "da-policy"; server_name is what the server is asked for in the handshake,
  // where that is not the address.
  Channel(std::string peer, std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
          const std::string& server_name = "", Lost lost = Lost::kConnectsAgain);

  const std::string& peer() const { return peer_; }
  const std::string& address() const { return address_; }
  const std::shared_ptr<grpc::Channel>& grpc() const { return channel_; }

  // Before a call. Nobody reads an idle connection: after a rest of kRest this looks whether the peer has ended it, so
  // that the call makes a new one instead of failing. Where the last attempt to connect failed, it waits for the next.
  void get_ready() const;
  // Whether there is a connection. Makes one where there is none, and waits for it as long as for an attempt.
  bool connect() const;
  // That look alone, for whoever has a sign that the peer is gone: waits so long at most for the connection to end.
  void notice_end(Milliseconds at_most) const;

  // What counts as idle.
  static constexpr Milliseconds kRest{100};
  // How long a look takes where there is nothing to see. A shorter one may be over before gRPC has read anything.
  static constexpr Milliseconds kLook{2};

 private:
  std::string peer_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
  std::shared_ptr<std::atomic<MonoTime>> last_call_ = std::make_shared<std::atomic<MonoTime>>();
};

}  // namespace da::rpc
