#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "lib/os/network/datagram_socket.h"
#include "lib/os/network/wake_up.h"
#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

// Keeps some thousand datagrams of a flood, so that a wanted one among them is not lost at once.
constexpr int kReceiveBuffer = 1 << 20;

class LinuxDatagramSocket final : public DatagramSocket {
 public:
  LinuxDatagramSocket(UniqueFd socket, std::unique_ptr<WakeUp> wake_up)
      : socket_(std::move(socket)), wake_up_(std::move(wake_up)) {}

  Result<std::optional<Received>> receive(std::size_t largest, Milliseconds timeout) override {
    pollfd polled[] = {{socket_.get(), POLLIN, 0}, {static_cast<int>(wake_up_->descriptor()), POLLIN, 0}};
    const int ready = ::poll(polled, 2, static_cast<int>(timeout.count()));
    if (ready < 0 && errno != EINTR) return posix_error("wait for a datagram", errno);
    if (polled[1].revents != 0) wake_up_->clear();
    if (ready <= 0 || polled[0].revents == 0) return std::optional<Received>();
    std::string bytes(largest, '\0');
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const ssize_t got =
        ::recvfrom(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0 && errno == ECONNREFUSED) return Error{Code::kUnavailable, "nobody receives datagrams there"};
    if (got < 0) return std::optional<Received>();  // A bad checksum, for example.
    bytes.resize(static_cast<std::size_t>(got));
    return std::optional(Received{std::move(bytes), std::string(reinterpret_cast<const char*>(&from), size)});
  }

  void send(std::string_view bytes, const std::string& to) override {
    const auto* address = to.empty() ? nullptr : reinterpret_cast<const sockaddr*>(to.data());
    static_cast<void>(::sendto(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL, address,
                               static_cast<socklen_t>(to.size())));
  }

  void wake() override { wake_up_->notify(); }

 private:
  const UniqueFd socket_;
  const std::unique_ptr<WakeUp> wake_up_;
};

using Attach = int (*)(int, const sockaddr*, socklen_t);

Result<std::unique_ptr<DatagramSocket>> open(const HostPort& address, Attach attach, const std::string& attempted) {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* raw = nullptr;
  if (const int failed = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &wanted, &raw); failed != 0)
    return Error{Code::kInvalidArgument, attempted + ": " + ::gai_strerror(failed)};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(raw, ::freeaddrinfo);
  UniqueFd socket(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return posix_error(attempted, errno);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  if (attach(socket.get(), found->ai_addr, found->ai_addrlen) != 0) {
    Error error = posix_error(attempted, errno);
    if (errno == EADDRINUSE) error.code = Code::kAlreadyExists;
    return error;
  }
  ASSIGN_OR_RETURN(auto wake_up, WakeUp::open());
  return std::unique_ptr<DatagramSocket>(std::make_unique<LinuxDatagramSocket>(std::move(socket), std::move(wake_up)));
}

}  // namespace

Result<std::unique_ptr<DatagramSocket>> DatagramSocket::bind(const HostPort& address) {
  return open(address, ::bind, "receive datagrams at port " + address.port);
}

Result<std::unique_ptr<DatagramSocket>> DatagramSocket::connect(const HostPort& address) {
  return open(address, ::connect, "send datagrams to port " + address.port);
}

}  // namespace da::os
