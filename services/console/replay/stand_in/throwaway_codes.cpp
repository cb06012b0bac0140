#include "services/console/replay/stand_in/throwaway_codes.h"

#include <liboath/oath.h>
#include <sodium.h>

#include <cstdlib>
#include <memory>

#include "lib/os/files/files.h"

namespace da::console {
namespace {

constexpr std::size_t kSecretBytes = 20;
constexpr unsigned kDigits = 6;

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

Result<void> ThrowawayCodes::enroll(const std::filesystem::path& directory, const std::set<std::string>& people) {
  if (people.empty()) return ok();
  RETURN_IF_ERROR(os::make_private_directory(directory));
  for (const std::string& person : people) {
    if (person.find('/') != std::string::npos || person.starts_with('.')) continue;  // No name of a second factor.
    std::string secret(kSecretBytes, '\0');
    randombytes_buf(secret.data(), secret.size());
    char* encoded = nullptr;
    std::size_t size = 0;
    if (oath_base32_encode(secret.data(), secret.size(), &encoded, &size) != OATH_OK) {
      return Error{Code::kInternal, "encode the secret of a second factor"};
    }
    const std::unique_ptr<char, Free> owned(encoded);
    RETURN_IF_ERROR(os::write_private_file(directory / (person + ".totp"), std::string(encoded, size) + "\n"));
    secrets_[person] = std::move(secret);
  }
  return ok();
}

std::string ThrowawayCodes::code_now(const std::string& person) const {
  const auto secret = secrets_.find(person);
  if (secret == secrets_.end()) return {};
  const auto now = std::chrono::floor<std::chrono::seconds>(system_clock().wall_now() + wall_offset_);
  char code[kDigits + 1] = {};
  const int status = oath_totp_generate(secret->second.data(), secret->second.size(), now.time_since_epoch().count(),
                                        OATH_TOTP_DEFAULT_TIME_STEP_SIZE, 0, kDigits, code);
  return status == OATH_OK ? code : "";
}

}  // namespace da::console
