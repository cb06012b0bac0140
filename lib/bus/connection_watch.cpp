#include "lib/bus/connection_watch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"

namespace da::bus {

// ZeroMQ's own thread sends the events. It would wait where the queue is full, so the queue has no limit.
void ConnectionWatch::watch(zmq::socket_t& socket) {
  const std::string address = "inproc://connections-" + random_hex(8);
  if (zmq_socket_monitor(socket.handle(), address.c_str(), ZMQ_EVENT_ACCEPTED) != 0) throw zmq::error_t();
  zmq::socket_t events(zmq_context(), zmq::socket_type::pair);
  events.set(zmq::sockopt::linger, 0);
  events.set(zmq::sockopt::rcvhwm, 0);
  events.connect(address);
  events_ = std::move(events);
  taken_.clear();
}

// An event is two frames: its kind in 16 bits and the descriptor in 32, then an address.
void ConnectionWatch::heed() {
  zmq::message_t event;
  zmq::message_t address;
  while (events_.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more()) static_cast<void>(events_.recv(address, zmq::recv_flags::dontwait));
    std::uint16_t kind = 0;
    std::int32_t descriptor = -1;
    if (event.size() < sizeof kind + sizeof descriptor) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    std::memcpy(&descriptor, static_cast<const char*>(event.data()) + sizeof kind, sizeof descriptor);
    if (kind == ZMQ_EVENT_ACCEPTED) take(descriptor);
  }
}

void ConnectionWatch::take(int descriptor) {
  const auto connection = os::ForeignConnection::of(descriptor);
  if (!connection) return;
  if (taken_.size() >= limits_.open) std::erase_if(taken_, [](const Taken& one) { return !one.connection.is_open(); });
  if (descriptor >= limits_.highest_descriptor || taken_.size() >= limits_.open) return connection->end();
  taken_.push_back({*connection, os::Caller::of(descriptor).address, system_clock().now()});
  make_room(taken_.back().address);
}

void ConnectionWatch::make_room(const std::string& address) {
  const MonoTime began_after = system_clock().now() - kHandshakeTime;
  const auto may_shake = [&](const Taken& one) { return one.address == address && one.since > began_after; };
  const auto count = [&] { return static_cast<std::size_t>(std::ranges::count_if(taken_, may_shake)); };
  if (count() <= limits_.handshakes_of_address) return;
  std::erase_if(taken_, [](const Taken& one) { return !one.connection.is_open(); });
  if (count() <= limits_.handshakes_of_address) return;
  const auto is_silent = [&](const Taken& one) { return may_shake(one) && one.connection.is_silent(); };
  auto ended = std::ranges::find_if(taken_, is_silent);
  if (ended == taken_.end()) ended = std::ranges::find_if(taken_, may_shake);
  ended->connection.end();
  taken_.erase(ended);
}

}  // namespace da::bus
