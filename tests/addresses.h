// Addresses for the sockets of one test: unix sockets in its directory; on Windows, ports of 127.0.0.1 that were free.
#pragma once

#include <filesystem>
#include <string>

namespace da::test {

// For gRPC servers, such as "unix:/tmp/x/name.sock" or "ipv4:127.0.0.1:40100".
std::string rpc_address(const std::filesystem::path& directory, const std::string& name);
// For the bus, such as "ipc:///tmp/x/name" or "tcp://127.0.0.1:40100".
std::string bus_address(const std::filesystem::path& directory, const std::string& name);

}  // namespace da::test
