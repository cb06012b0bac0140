#include "lib/os/network/winsock.h"
// winsock2.h comes before windows.h.
#include "lib/os/network/wake_up.h"
#include "lib/os/win32.h"

namespace da::os {
namespace {

// Only its own datagrams reach a connected socket: another process cannot bind the same port.
class LoopbackWakeUp final : public WakeUp {
 public:
  explicit LoopbackWakeUp(UniqueSocket socket) : socket_(std::move(socket)) {}
  void notify() override { ::send(socket_.get(), "", 1, 0); }
  void clear() override {
    char buffer[64];
    while (::recv(socket_.get(), buffer, sizeof buffer, 0) > 0) {
    }
  }
  std::intptr_t descriptor() const override { return static_cast<std::intptr_t>(socket_.get()); }

 private:
  const UniqueSocket socket_;
};

Error failed() { return windows_error("make a loopback socket", static_cast<DWORD>(::WSAGetLastError())); }

}  // namespace

void start_sockets() {
  static const int started = [] {
    WSADATA data;
    return ::WSAStartup(MAKEWORD(2, 2), &data);
  }();
  static_cast<void>(started);
}

Result<std::unique_ptr<WakeUp>> WakeUp::open() {
  start_sockets();
  UniqueSocket socket(::WSASocketW(AF_INET, SOCK_DGRAM, IPPROTO_UDP, nullptr, 0, WSA_FLAG_NO_HANDLE_INHERIT));
  if (!socket) return failed();
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  int size = sizeof own;
  u_long non_blocking = 1;
  if (::bind(socket.get(), address, size) != 0 || ::getsockname(socket.get(), address, &size) != 0 ||
      ::connect(socket.get(), address, size) != 0 || ::ioctlsocket(socket.get(), FIONBIO, &non_blocking) != 0) {
    return failed();
  }
  return std::unique_ptr<WakeUp>(std::make_unique<LoopbackWakeUp>(std::move(socket)));
}

}  // namespace da::os
