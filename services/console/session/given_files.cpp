#include "services/console/session/given_files.h"

namespace da::console {

std::filesystem::path own_directory() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

std::filesystem::path service_program(const std::string& service) { return own_directory() / ("da-" + service); }

Result<std::filesystem::path> find_given(const std::string& what, const std::string& given) {
  if (given.empty()) return std::filesystem::path();
  std::error_code error;
  auto path = std::filesystem::canonical(given, error);
  if (error) return Error{Code::kInvalidArgument, what + " " + given + ": " + error.message()};
  return path;
}

// The shipped file is in share/ beside bin/, or in the source tree of a build.
Result<std::filesystem::path> find_rules(const std::string& given) {
  if (!given.empty()) return find_given("rule file", given);
  for (const char* relative : {"../share/desktopassist/policy.toml", "../../../deploy/config/policy.toml"}) {
    const auto path = own_directory() / relative;
    if (std::filesystem::exists(path)) return std::filesystem::canonical(path);
  }
  return Error{Code::kNotFound, "the shipped rule file was not found beside " + own_directory().string() +
                                    ": name one with --rules FILE"};
}

}  // namespace da::console
