// Ends itself by os::end_process(3) while six threads transfer data over connections of their own.
#include <winsock2.h>
#include <ws2tcpip.h>

#include <chrono>
#include <thread>

#include "lib/os/process/end_process.h"

namespace {

struct Connection {
  SOCKET from = INVALID_SOCKET;
  SOCKET to = INVALID_SOCKET;
};

Connection connect_on_loopback() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  int size = sizeof address;
  const SOCKET listener = ::socket(AF_INET, SOCK_STREAM, 0);
  ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  ::listen(listener, 1);
  Connection connection;
  connection.from = ::socket(AF_INET, SOCK_STREAM, 0);
  ::connect(connection.from, reinterpret_cast<sockaddr*>(&address), size);
  connection.to = ::accept(listener, nullptr, nullptr);
  ::closesocket(listener);
  return connection;
}

// Each receive begins before there is anything to receive.
void transfer(const Connection& connection) {
  char bytes[64];
  WSABUF buffer{sizeof bytes, bytes};
  WSAOVERLAPPED state{};
  state.hEvent = ::WSACreateEvent();
  DWORD received = 0;
  DWORD flags = 0;
  ::WSARecv(connection.to, &buffer, 1, &received, &flags, &state, nullptr);
  ::send(connection.from, "x", 1, 0);
  ::WSAGetOverlappedResult(connection.to, &state, &received, TRUE, &flags);
  ::WSACloseEvent(state.hEvent);
}

void transfer_for_ever() {
  for (;;) {
    const Connection connection = connect_on_loopback();
    for (int i = 0; i < 20; ++i) transfer(connection);
    ::closesocket(connection.from);
    ::closesocket(connection.to);
  }
}

}  // namespace

int main() {
  WSADATA data{};
  if (::WSAStartup(MAKEWORD(2, 2), &data) != 0) return 1;
  for (int i = 0; i < 6; ++i) std::thread(transfer_for_ever).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  da::os::end_process(3);
}
