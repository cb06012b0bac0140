#include "lib/os/network/winsock.h"
// winsock2.h comes before windows.h.
#include "lib/os/network/datagram_socket.h"
#include "lib/os/network/wake_up.h"
#include "lib/os/win32.h"

namespace da::os {
namespace {

// Keeps some thousand datagrams of a flood, so that a wanted one among them is not lost at once.
constexpr int kReceiveBuffer = 1 << 20;

class WindowsDatagramSocket final : public DatagramSocket {
 public:
  WindowsDatagramSocket(UniqueSocket socket, std::unique_ptr<WakeUp> wake_up)
      : socket_(std::move(socket)), wake_up_(std::move(wake_up)) {}

  Result<std::optional<Received>> receive(std::size_t largest, Milliseconds timeout) override {
    WSAPOLLFD polled[] = {{socket_.get(), POLLRDNORM, 0}, {static_cast<SOCKET>(wake_up_->descriptor()), POLLRDNORM, 0}};
    const int ready = ::WSAPoll(polled, 2, static_cast<int>(timeout.count()));
    if (ready == SOCKET_ERROR) {
      return windows_error("wait for a datagram", static_cast<DWORD>(::WSAGetLastError()));
    }
    if (polled[1].revents != 0) wake_up_->clear();
    if (ready == 0 || polled[0].revents == 0) return std::optional<Received>();
    std::string bytes(largest, '\0');
    sockaddr_storage from{};
    int size = sizeof from;
    const int got = ::recvfrom(socket_.get(), bytes.data(), static_cast<int>(bytes.size()), 0,
                               reinterpret_cast<sockaddr*>(&from), &size);
    if (got == SOCKET_ERROR && connected_ && ::WSAGetLastError() == WSAECONNRESET) {
      return Error{Code::kUnavailable, "nobody receives datagrams there"};
    }
    if (got == SOCKET_ERROR) return std::optional<Received>();
    bytes.resize(static_cast<std::size_t>(got));
    return std::optional(
        Received{std::move(bytes), std::string(reinterpret_cast<const char*>(&from), static_cast<std::size_t>(size))});
  }

  void send(std::string_view bytes, const std::string& to) override {
    const auto* address = to.empty() ? nullptr : reinterpret_cast<const sockaddr*>(to.data());
    ::sendto(socket_.get(), bytes.data(), static_cast<int>(bytes.size()), 0, address, static_cast<int>(to.size()));
  }

  void wake() override { wake_up_->notify(); }

  void set_connected() { connected_ = true; }

 private:
  const UniqueSocket socket_;
  const std::unique_ptr<WakeUp> wake_up_;
  bool connected_ = false;  // Otherwise an error tells that an earlier answer did not arrive.
};

enum class Attach { kBind, kConnect };

Result<std::unique_ptr<DatagramSocket>> open(const HostPort& address, Attach attach, const std::string& attempted) {
  start_sockets();
  const auto failed = [&] {
    const auto number = static_cast<DWORD>(::WSAGetLastError());
    Error error = windows_error(attempted, number);
    if (number == WSAEADDRINUSE) error.code = Code::kAlreadyExists;
    return error;
  };
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* raw = nullptr;
  if (::getaddrinfo(address.host.c_str(), address.port.c_str(), &wanted, &raw) != 0) return failed();
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(raw, [](addrinfo* list) { ::freeaddrinfo(list); });
  UniqueSocket socket(::WSASocketW(found->ai_family, SOCK_DGRAM, IPPROTO_UDP, nullptr, 0, WSA_FLAG_NO_HANDLE_INHERIT));
  if (!socket) return failed();
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, reinterpret_cast<const char*>(&kReceiveBuffer),
               sizeof kReceiveBuffer);
  const auto size = static_cast<int>(found->ai_addrlen);
  u_long non_blocking = 1;
  const int attached = attach == Attach::kBind ? ::bind(socket.get(), found->ai_addr, size)
                                               : ::connect(socket.get(), found->ai_addr, size);
  if (attached != 0 || ::ioctlsocket(socket.get(), FIONBIO, &non_blocking) != 0) return failed();
  ASSIGN_OR_RETURN(auto wake_up, WakeUp::open());
  auto opened = std::make_unique<WindowsDatagramSocket>(std::move(socket), std::move(wake_up));
  if (attach == Attach::kConnect) opened->set_connected();
  return std::unique_ptr<DatagramSocket>(std::move(opened));
}

}  // namespace

Result<std::unique_ptr<DatagramSocket>> DatagramSocket::bind(const HostPort& address) {
  return open(address, Attach::kBind, "receive datagrams at port " + address.port);
}

Result<std::unique_ptr<DatagramSocket>> DatagramSocket::connect(const HostPort& address) {
  return open(address, Attach::kConnect, "send datagrams to port " + address.port);
}

}  // namespace da::os
