#include "services/actuator/desktop/files/file_number_win32.h"

#include <bit>
#include <limits>

namespace da::actuator {
namespace {

constexpr std::uint64_t kOnes = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::optional<std::uint64_t> file_number(const std::optional<std::array<std::uint64_t, 2>>& id, std::uint64_t index) {
  if (id && *id != std::array<std::uint64_t, 2>{} && *id != std::array{kOnes, kOnes}) {
    return (*id)[0] ^ std::rotl((*id)[1], 32);
  }
  if (index != 0 && index != kOnes) return index;
  return std::nullopt;
}

}  // namespace da::actuator
