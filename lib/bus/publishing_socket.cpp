#include "lib/bus/publishing_socket.h"

#include <utility>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"
#include "lib/identity/permissions.h"

namespace da::bus {
namespace {

constexpr std::size_t kLongestTopic = 128;
// Limit of one frame: ZeroMQ disconnects a peer that sends more. Publishers receive subscriptions only.
constexpr std::int64_t kLargestSubscription = 4 << 10;
// Limit for all readers of one socket together. Each reader subscribes to some twenty topics.
constexpr int kMostSubscriptions = 4'000;
constexpr int kMaxSubscriptionsPerRead = 200;
// Connections that wait in the kernel to be accepted.
constexpr int kBacklog = 4'096;
constexpr int kCloseTimeout = 2000;  // Milliseconds.

}  // namespace

PublishingSocket::PublishingSocket(std::string endpoint, int high_water_mark, bool images,
                                   const identity::Credentials& credentials)
    : endpoint_(std::move(endpoint)),
      high_water_mark_(high_water_mark),
      own_(credentials.own),
      authenticator_(
          [own = credentials.own, peers = credentials.peers, images](std::string_view key) {
            const auto peer = peers->by_curve_key(key);
            return peer && identity::may_subscribe(peer->role, own->role, images);
          },
          [peers = credentials.peers] { return peers->check_read().has_value(); }) {
  open();
}

void PublishingSocket::send(std::string_view topic, std::string_view payload) {
  const std::lock_guard lock(mutex_);
  socket_.send(zmq::buffer(topic), zmq::send_flags::sndmore);
  socket_.send(zmq::buffer(payload), zmq::send_flags::none);
  echo_locked();
}

bool PublishingSocket::read_incoming() {
  const bool connections_done = connections_.read_events();
  const std::lock_guard lock(mutex_);
  return echo_locked() && connections_done;
}

bool PublishingSocket::disconnect_revoked() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(too_many_, false) || authenticator_.has_revoked()) {
    close();
    authenticator_.forget();
  }
  if (socket_.handle() != nullptr) return true;
  try {
    open();
  } catch (const zmq::error_t&) {
    return false;
  }
  return true;
}

std::optional<zmq::fd_t> PublishingSocket::descriptor() {
  const std::lock_guard lock(mutex_);
  return socket_.handle() == nullptr ? std::nullopt : std::optional(socket_.get(zmq::sockopt::fd));
}

void PublishingSocket::open() {
  zmq::socket_t socket(zmq_context(), zmq::socket_type::xpub);
  socket.set(zmq::sockopt::sndhwm, high_water_mark_);
  socket.set(zmq::sockopt::maxmsgsize, kLargestSubscription);
  socket.set(zmq::sockopt::linger, 200);
  socket.set(zmq::sockopt::xpub_verboser, true);
  socket.set(zmq::sockopt::handshake_ivl, static_cast<int>(ConnectionWatch::kHandshakeTime.count()));
  socket.set(zmq::sockopt::backlog, kBacklog);
  connections_.watch(socket);
  authenticator_.guard(socket, own_->curve_secret);
  socket.bind(endpoint_);
  socket_ = std::move(socket);
}

void PublishingSocket::close() noexcept {
  subscriptions_ = 0;
  try {
    await_unbound();
  } catch (const zmq::error_t&) {
    // The socket is closed below anyway; open() is retried until the address is free.
  }
  zmq_socket_monitor(socket_.handle(), nullptr, 0);
  socket_.close();
}

void PublishingSocket::await_unbound() {
  const std::string address = "inproc://closing-" + random_hex(8);
  if (zmq_socket_monitor(socket_.handle(), address.c_str(), ZMQ_EVENT_CLOSED) != 0) throw zmq::error_t();
  zmq::socket_t events(zmq_context(), zmq::socket_type::pair);
  events.set(zmq::sockopt::linger, 0);
  events.set(zmq::sockopt::rcvtimeo, kCloseTimeout);
  events.connect(address);
  socket_.unbind(socket_.get(zmq::sockopt::last_endpoint));
  zmq::message_t closed;
  static_cast<void>(events.recv(closed, zmq::recv_flags::none));
}

bool PublishingSocket::echo_locked() {
  if (socket_.handle() == nullptr) return true;
  zmq::message_t subscription;
  for (int i = 0; i < kMaxSubscriptionsPerRead; ++i) {
    if (!socket_.recv(subscription, zmq::recv_flags::dontwait)) return true;
    const std::string_view text = subscription.to_string_view();
    if (!text.empty()) subscriptions_ += text[0] == 1 ? 1 : -1;
    too_many_ = too_many_ || subscriptions_ > kMostSubscriptions || text.size() > kLongestTopic;
    if (text.size() < 2 || text.size() > kLongestTopic || text[0] != 1 || !text.substr(1).starts_with(kEchoPrefix)) {
      continue;
    }
    socket_.send(zmq::buffer(text.substr(1)), zmq::send_flags::sndmore);
    socket_.send(zmq::message_t(), zmq::send_flags::none);
  }
  return false;
}

}  // namespace da::bus
