#include "lib/bus/connection_watch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"

namespace da::bus {

// ZeroMQ's I/O thread sends the events and would block on a full queue, so the queue has no limit.
void ConnectionWatch::watch(zmq::socket_t& socket) {
  const std::string address = "inproc://connections-" + random_hex(8);
  if (zmq_socket_monitor(socket.handle(), address.c_str(), ZMQ_EVENT_ACCEPTED) != 0) throw zmq::error_t();
  zmq::socket_t events(zmq_context(), zmq::socket_type::pair);
  events.set(zmq::sockopt::linger, 0);
  events.set(zmq::sockopt::rcvhwm, 0);
  events.connect(address);
  events_ = std::move(events);
  accepted_.clear();
}

// An event has two frames: 16 bits of kind with 32 bits of descriptor, and an address.
void ConnectionWatch::read_events() {
  zmq::message_t event;
  zmq::message_t address;
  while (events_.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more()) static_cast<void>(events_.recv(address, zmq::recv_flags::dontwait));
    std::uint16_t kind = 0;
    std::int32_t descriptor = -1;
    if (event.size() < sizeof kind + sizeof descriptor) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    std::memcpy(&descriptor, static_cast<const char*>(event.data()) + sizeof kind, sizeof descriptor);
    if (kind == ZMQ_EVENT_ACCEPTED) add(descriptor);
  }
}

void ConnectionWatch::forget_closed() {
  std::erase_if(accepted_, [](const Accepted& one) { return !one.connection.is_open(); });
}

void ConnectionWatch::add(int descriptor) {
  const auto connection = os::ForeignConnection::of(descriptor);
  if (!connection) return;
  if (descriptor >= limits_.highest_descriptor) return connection->shut_down();
  make_room_in_total();
  accepted_.push_back({*connection, os::Caller::of(descriptor).address, system_clock().now()});
  make_room(accepted_.back().address);
}

// At the limit, closes the oldest connection of the address with the most.
void ConnectionWatch::make_room_in_total() {
  if (accepted_.size() < limits_.open) return;
  forget_closed();
  if (accepted_.size() < limits_.open) return;
  std::map<std::string, std::size_t> counts;
  for (const Accepted& one : accepted_) ++counts[one.address];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  const auto ended = std::ranges::find(accepted_, most->first, &Accepted::address);
  ended->connection.shut_down();
  accepted_.erase(ended);
}

void ConnectionWatch::make_room(const std::string& address) {
  const MonoTime began_after = system_clock().now() - kHandshakeTime;
  const auto in_handshake = [&](const Accepted& one) { return one.address == address && one.since > began_after; };
  const auto count = [&] { return static_cast<std::size_t>(std::ranges::count_if(accepted_, in_handshake)); };
  if (count() <= limits_.handshakes_of_address) return;
  forget_closed();
  if (count() <= limits_.handshakes_of_address) return;
  const auto is_silent = [&](const Accepted& one) { return in_handshake(one) && one.connection.is_silent(); };
  auto ended = std::ranges::find_if(accepted_, is_silent);
  if (ended == accepted_.end()) ended = std::ranges::find_if(accepted_, in_handshake);
  ended->connection.shut_down();
  accepted_.erase(ended);
}

}  // namespace da::bus
