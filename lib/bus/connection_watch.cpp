#include "lib/bus/connection_watch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"

namespace da::bus {
namespace {

constexpr int kMaxEventsPerRead = 500;

}  // namespace

// ZeroMQ's I/O thread sends the events and would block on a full queue, so the queue has no limit.
void ConnectionWatch::watch(zmq::socket_t& socket) {
  const std::string address = "inproc://connections-" + random_hex(8);
  constexpr int kEvents = ZMQ_EVENT_LISTENING | ZMQ_EVENT_ACCEPTED;
  if (zmq_socket_monitor(socket.handle(), address.c_str(), kEvents) != 0) throw zmq::error_t();
  zmq::socket_t events(zmq_context(), zmq::socket_type::pair);
  events.set(zmq::sockopt::linger, 0);
  events.set(zmq::sockopt::rcvhwm, 0);
  events.connect(address);
  events_ = std::move(events);
  accepted_.clear();
}

// An event has two frames: 16 bits of kind with 32 bits of descriptor, and an address.
bool ConnectionWatch::read_events() {
  zmq::message_t event;
  zmq::message_t address;
  for (int i = 0; i < kMaxEventsPerRead; ++i) {
    if (!events_.recv(event, zmq::recv_flags::dontwait)) return true;
    if (event.more()) static_cast<void>(events_.recv(address, zmq::recv_flags::dontwait));
    std::uint16_t kind = 0;
    std::int32_t descriptor = -1;
    if (event.size() < sizeof kind + sizeof descriptor) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    std::memcpy(&descriptor, static_cast<const char*>(event.data()) + sizeof kind, sizeof descriptor);
    if (kind == ZMQ_EVENT_LISTENING) os::keep_silent_connections_in_kernel(descriptor, limits_.kept_by_kernel);
    if (kind == ZMQ_EVENT_ACCEPTED) add(descriptor);
  }
  return false;
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
  close(std::ranges::find(accepted_, most->first, &Accepted::address));
}

void ConnectionWatch::make_room(const std::string& address) {
  const MonoTime began_after = system_clock().now() - kHandshakeTime;
  std::vector<std::list<Accepted>::iterator> handshakes;  // Newest first.
  for (auto one = accepted_.end(); one != accepted_.begin() && std::prev(one)->since > began_after;) {
    if ((--one)->address == address) handshakes.push_back(one);
  }
  std::optional<std::list<Accepted>::iterator> oldest;
  std::size_t open = handshakes.size();
  // A flood's oldest connection is nearly always silent, so few are asked.
  for (auto next = handshakes.rbegin(); next != handshakes.rend(); ++next) {
    const auto one = *next;
    if (open <= limits_.handshakes_of_address) return;  // The newest need not be asked.
    if (!one->connection.is_open()) {
      accepted_.erase(one);
      --open;
    } else if (one->connection.is_silent()) {
      return close(one);
    } else if (!oldest) {
      oldest = one;
    }
  }
  if (oldest && open > limits_.handshakes_of_address) close(*oldest);
}

void ConnectionWatch::close(std::list<Accepted>::iterator one) {
  one->connection.shut_down();
  accepted_.erase(one);
}

}  // namespace da::bus
