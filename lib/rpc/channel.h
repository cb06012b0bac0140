// A way to one peer: its name for messages to people, and its address ("unix:/run/x.sock").
// Connects when it is first used, and finds the peer again when it returns; never blocks. Copies share the connection.
// Any thread.
#pragma once

#include <memory>
#include <string>

namespace grpc {
class Channel;
}

namespace da::rpc {

class Channel {
 public:
  // peer is the name that errors carry: "da-policy".
  Channel(std::string peer, std::string address);

  const std::string& peer() const { return peer_; }
  const std::string& address() const { return address_; }
  const std::shared_ptr<grpc::Channel>& grpc() const { return channel_; }

 private:
  std::string peer_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace da::rpc
