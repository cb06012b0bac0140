// A way to one peer: its name for messages to people, and its address ("unix:/run/x.sock").
// Connects when it is first used, and finds the peer again when it returns; never blocks. Copies share the connection.
// Any thread.
#pragma once

#include <memory>
#include <string>

#include "lib/identity/credentials.h"

namespace grpc {
class Channel;
class ChannelCredentials;
}  // namespace grpc

namespace da::rpc {

class Channel {
 public:
  // To the service of that role.
  Channel(identity::Role server, std::string address, const identity::Credentials& credentials);
  // peer is the name that errors carry: "da-policy"; server_name is what the server is asked for in the handshake,
  // where that is not the address.
  Channel(std::string peer, std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
          const std::string& server_name = "");

  const std::string& peer() const { return peer_; }
  const std::string& address() const { return address_; }
  const std::shared_ptr<grpc::Channel>& grpc() const { return channel_; }

  // Before a call. Nobody reads an idle connection: this looks whether the peer has ended it, so that the call makes a
  // new one instead of failing; and where the last attempt to connect failed, it waits for the next one.
  void get_ready() const;

 private:
  void notice_end() const;

  std::string peer_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace da::rpc
