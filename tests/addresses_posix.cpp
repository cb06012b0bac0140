#include "tests/addresses.h"

namespace da::test {

std::string rpc_address(const std::filesystem::path& directory, const std::string& name) {
  return "unix:" + (directory / (name + ".sock")).string();
}

std::string bus_address(const std::filesystem::path& directory, const std::string& name) {
  return "ipc://" + (directory / name).string();
}

}  // namespace da::test
