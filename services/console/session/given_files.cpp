#include "services/console/session/given_files.h"

#include <sys/auxv.h>

#include <algorithm>

namespace da::console {
namespace {

// The directory of the name that this program was started by, which may be a link in the prefix of an installation.
std::filesystem::path called_directory() {
  // The kernel's value is the address of the text.
  const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (name == nullptr) return own_directory();
  std::error_code error;
  const auto path = std::filesystem::absolute(name, error);
  return error ? own_directory() : path.lexically_normal().parent_path();
}

}  // namespace

std::filesystem::path own_directory() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

std::filesystem::path service_program(const std::string& service) { return own_directory() / ("da-" + service); }

Result<std::filesystem::path> find_given(const std::string& what, const std::string& given) {
  if (given.empty()) return std::filesystem::path();
  std::error_code error;
  auto path = std::filesystem::canonical(given, error);
  if (error) return Error{Code::kInvalidArgument, what + " " + given + ": " + error.message()};
  return path;
}

std::vector<std::filesystem::path> rule_places(const std::vector<std::filesystem::path>& directories) {
  std::vector<std::filesystem::path> places;
  // The first fits PREFIX/bin, the second PREFIX/libexec/desktopassist, the last a build in its source tree.
  for (const char* relative : {"../share/desktopassist/policy.toml", "../../share/desktopassist/policy.toml",
                               "../../../deploy/config/policy.toml"}) {
    for (const auto& directory : directories) {
      const auto place = (directory / relative).lexically_normal();
      if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    }
  }
  return places;
}

Result<std::filesystem::path> find_rules(const std::string& given) {
  if (!given.empty()) return find_given("rule file", given);
  const auto places = rule_places({own_directory(), called_directory()});
  std::string looked_at;
  for (const auto& place : places) {
    std::error_code error;
    if (std::filesystem::is_regular_file(place, error)) return std::filesystem::canonical(place);
    looked_at += "\n  " + place.string();
  }
  return Error{Code::kNotFound,
               "the shipped rule file was not found; name one with --rules FILE, or put it at one of "
               "these places:" +
                   looked_at};
}

}  // namespace da::console
