#include "lib/rpc/acceptor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace da::rpc {
namespace {

// Number of connections to accept before checking the silent ones for data.
constexpr int kMaxAcceptsPerRound = 16;
// Pause after a failed accept, for example without memory.
constexpr Milliseconds kPause{20};

os::UniqueFd open_spare() { return os::UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

Acceptor::Acceptor(ListeningSocket listening, os::UniqueFd events, os::UniqueFd stop,
                   const os::ConnectionLimits& limits)
    : listening_(std::move(listening)),
      events_(std::move(events)),
      stop_(std::move(stop)),
      spare_(open_spare()),
      limits_(limits) {}

Acceptor::~Acceptor() { stop(); }

Result<std::unique_ptr<Acceptor>> Acceptor::listen(const std::string& address, const os::ConnectionLimits& limits) {
  ASSIGN_OR_RETURN(ListeningSocket listening, ListeningSocket::open(address, limits.kept_by_kernel));
  os::UniqueFd events(::epoll_create1(EPOLL_CLOEXEC));
  os::UniqueFd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!events || !stop) return posix_error("watch for connections at " + address, errno);
  for (const int descriptor : {listening.descriptor(), stop.get()}) {
    epoll_event wanted{.events = EPOLLIN, .data = {.fd = descriptor}};
    if (::epoll_ctl(events.get(), EPOLL_CTL_ADD, descriptor, &wanted) != 0)
      return posix_error("watch for connections at " + address, errno);
  }
  return std::unique_ptr<Acceptor>(new Acceptor(std::move(listening), std::move(events), std::move(stop), limits));
}

void Acceptor::start(HandOn hand_on) {
  hand_on_ = std::move(hand_on);
  thread_ = std::thread([this] { run(); });
  ::pthread_setname_np(thread_.native_handle(), "rpc-accept");
}

void Acceptor::stop() {
  if (!thread_.joinable()) return;
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void Acceptor::run() {
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count =
        ::epoll_wait(events_.get(), events.data(), static_cast<int>(events.size()), milliseconds_to_next_end());
    bool has_new = false;
    for (int i = 0; i < count; ++i) {
      const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
      if (descriptor == stop_.get()) return;
      if (descriptor == listening_.descriptor()) {
        has_new = true;
      } else {
        on_readable(descriptor);
      }
    }
    end_late();
    if (has_new) accept_new();
  }
}

void Acceptor::accept_new() {
  for (int i = 0; i < kMaxAcceptsPerRound; ++i)
    if (!accept_one()) return;
}

// Returns false if no connection is waiting.
bool Acceptor::accept_one() {
  os::UniqueFd connection(::accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection && (errno == EMFILE || errno == ENFILE)) {
    spare_.reset();
    connection.reset(::accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    const bool taken = static_cast<bool>(connection);
    connection.reset();
    spare_ = open_spare();
    return taken;
  }
  if (!connection) {
    // The client may have gone already: accept the next one at once. Other errors, such as no memory: pause first.
    if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR || errno == EPERM || errno == EPROTO) {
      return errno != EAGAIN;
    }
    std::this_thread::sleep_for(kPause);
    return false;
  }
  if (connection.get() >= limits_.highest_descriptor) return true;
  os::Caller caller = os::Caller::of(connection.get());
  const int on = 1;
  ::setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const int descriptor = connection.get();
  epoll_event wanted{.events = EPOLLIN | EPOLLRDHUP, .data = {.fd = descriptor}};
  if (::epoll_ctl(events_.get(), EPOLL_CTL_ADD, descriptor, &wanted) != 0) return true;
  ++silent_of_[caller.address];
  silent_.push_back({std::move(connection), std::move(caller.address), std::move(caller.name), system_clock().now()});
  by_descriptor_[descriptor] = std::prev(silent_.end());
  make_room();
  return true;
}

void Acceptor::make_room() {
  const std::string& newest = silent_.back().address;
  const auto oldest_of = [&](const std::string& address) {
    return std::ranges::find(silent_, address, &Silent::address);
  };
  if (silent_of_[newest] > limits_.silent_of_address) {
    end_silent(oldest_of(newest));
  } else if (silent_.size() > limits_.silent) {
    const auto busiest = std::ranges::max_element(silent_of_, {}, [](const auto& address) { return address.second; });
    end_silent(oldest_of(busiest->first));
  }
}

// A silent connection is readable: the peer has sent data, or closed it.
void Acceptor::on_readable(int descriptor) {
  const auto found = by_descriptor_.find(descriptor);
  if (found == by_descriptor_.end()) return;
  char first = 0;
  const ssize_t peeked = ::recv(descriptor, &first, 1, MSG_PEEK | MSG_DONTWAIT);
  if (peeked < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (peeked > 0) {
    hand_on(found->second);
  } else {
    end_silent(found->second);
  }
}

void Acceptor::hand_on(SilentOnes::iterator ready) {
  const int descriptor = ready->connection.get();
  const auto connection = os::ForeignConnection::of(descriptor);
  bool is_taken = false;
  if (connection) {
    const std::lock_guard hold(mutex_);
    make_room_for_handshake(ready->address);
    make_room_for_open();
    is_taken = open_.size() < limits_.open;
    if (is_taken) open_.push_back({*connection, ready->address, ready->name, system_clock().now(), ""});
  }
  ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
  os::UniqueFd handed = std::move(ready->connection);
  by_descriptor_.erase(descriptor);
  if (--silent_of_[ready->address] == 0) silent_of_.erase(ready->address);
  silent_.erase(ready);
  if (is_taken) hand_on_(std::move(handed));
}

// Requires mutex_. A connection older than kHandshakeTime has shown a certificate, or the server has closed it.
void Acceptor::make_room_for_handshake(const std::string& address) {
  const MonoTime began_after = system_clock().now() - kHandshakeTime;
  const auto in_handshake = [&](const Open& one) {
    return one.address == address && one.peer.empty() && one.since > began_after;
  };
  const auto count = [&] { return static_cast<std::size_t>(std::ranges::count_if(open_, in_handshake)); };
  if (open_.size() >= limits_.open || count() >= limits_.handshakes_of_address) forget_closed();
  if (count() < limits_.handshakes_of_address) return;
  const auto oldest = std::ranges::find_if(open_, in_handshake);
  oldest->connection.shut_down();
  open_.erase(oldest);
}

// Requires mutex_. Real peers make calls, so this closes a connection without calls: the oldest of the address with the
// most. If all have made calls, it closes the oldest one of the peer with the most, of peers with several. It never
// closes connections of local sockets: they have no name, so their peer is unknown.
void Acceptor::make_room_for_open() {
  if (open_.size() < limits_.open) return;
  forget_closed();
  if (open_.size() < limits_.open) return;
  std::map<std::string, std::size_t> callers;
  std::map<std::string, std::size_t> peers;
  for (const Open& one : open_) {
    if (!one.peer.empty()) {
      ++peers[one.peer];
    } else if (!one.name.empty()) {
      ++callers[one.address];
    }
  }
  const bool some_make_no_calls = !callers.empty();
  const auto& counts = some_make_no_calls ? callers : peers;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  if (most == counts.end() || (!some_make_no_calls && most->second < 2)) return;
  const auto ended = std::ranges::find_if(open_, [&](const Open& one) {
    return some_make_no_calls ? one.peer.empty() && !one.name.empty() && one.address == most->first
                              : one.peer == most->first;
  });
  ended->connection.shut_down();
  open_.erase(ended);
}

void Acceptor::forget_closed() {
  std::erase_if(open_, [](const Open& one) { return !one.connection.is_open(); });
}

bool Acceptor::assign_peer(const std::string& connection, const std::string& peer) {
  if (!connection.starts_with("ipv")) return true;
  const std::lock_guard hold(mutex_);
  // The newest entry: an older one with the same port is closed already.
  const auto found = std::ranges::find(open_.rbegin(), open_.rend(), connection, &Open::name);
  if (found == open_.rend() || found->peer == peer) return true;
  const auto is_peers = [&](const Open& one) { return one.peer == peer; };
  const auto count = [&] { return static_cast<std::size_t>(std::ranges::count_if(open_, is_peers)); };
  if (count() >= limits_.open_of_peer)
    std::erase_if(open_, [&](const Open& one) { return is_peers(one) && !one.connection.is_open(); });
  if (count() < limits_.open_of_peer) {
    found->peer = peer;
    return true;
  }
  found->connection.shut_down();
  return false;
}

void Acceptor::end_silent(SilentOnes::iterator one) {
  by_descriptor_.erase(one->connection.get());
  if (--silent_of_[one->address] == 0) silent_of_.erase(one->address);
  silent_.erase(one);  // Closing it also removes it from events_.
}

void Acceptor::end_late() {
  const MonoTime late = system_clock().now() - kHandshakeTime;
  while (!silent_.empty() && silent_.front().since <= late) end_silent(silent_.begin());
}

// Time until the oldest silent connection is closed; -1 if there is none.
int Acceptor::milliseconds_to_next_end() const {
  if (silent_.empty()) return -1;
  const auto left = std::chrono::ceil<Milliseconds>(silent_.front().since + kHandshakeTime - system_clock().now());
  return static_cast<int>(std::max<Milliseconds::rep>(left.count(), 0));
}

}  // namespace da::rpc
