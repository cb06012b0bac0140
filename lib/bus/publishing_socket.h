// One XPUB socket of a publisher. It is guarded by CURVE and counts its readers' subscriptions.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <zmq.hpp>

#include "lib/bus/connection_watch.h"
#include "lib/bus/zap_authenticator.h"
#include "lib/identity/credentials.h"

namespace da::bus {

// Prefix of a reader's echo word (zmq_transport.h). Topics start with a writer's name, so none starts with this.
constexpr std::string_view kEchoPrefix = "~";

// The mutex allows publishing and reading subscriptions from two threads. Throws zmq::error_t.
class PublishingSocket {
 public:
  PublishingSocket(std::string endpoint, int high_water_mark, bool images, const identity::Credentials& credentials);

  void send(std::string_view topic, std::string_view payload);
  // Reads connections and subscriptions. Returns false if some remain to be read. Only for one thread.
  bool read_incoming();
  // Closes all connections if one peer was revoked or readers subscribed far too often: ZeroMQ cannot close a single
  // one. Readers reconnect and see a gap. Returns false if the socket could not be opened again yet: call it again.
  bool disconnect_revoked();
  // The current socket's; nullopt while it is closed.
  std::optional<zmq::fd_t> descriptor();
  // Only for the thread that calls read_incoming().
  zmq::fd_t descriptor_of_connections() { return connections_.descriptor(); }

 private:
  void open();
  // Waits until the address is free, if ZeroMQ can tell. Closes all connections in any case.
  void close() noexcept;
  void await_unbound();
  // Reads a limited number, so that one reader's endless subscriptions do not delay publishing.
  bool echo_locked();

  const std::string endpoint_;
  const int high_water_mark_;
  const std::shared_ptr<const identity::Identity> own_;
  ZapAuthenticator authenticator_;
  ConnectionWatch connections_;
  std::mutex mutex_;
  zmq::socket_t socket_;
  int subscriptions_ = 0;  // Active ones.
  bool too_many_ = false;
};

}  // namespace da::bus
