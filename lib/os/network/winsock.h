// Sockets on Windows. Only *_win32 files include this.
#pragma once

#include <winsock2.h>
#include <ws2tcpip.h>

#include "lib/os/unique_handle.h"

namespace da::os {

struct SocketTraits {
  using Handle = SOCKET;
  static constexpr SOCKET kInvalid = INVALID_SOCKET;
  static void close(SOCKET socket) { ::closesocket(socket); }
};
using UniqueSocket = UniqueHandle<SocketTraits>;

// Loads the socket library once for the process. Call it before the first socket.
void start_sockets();

}  // namespace da::os
