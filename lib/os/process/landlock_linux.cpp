// Kernel interface: https://docs.kernel.org/userspace-api/landlock.html. glibc has no functions for it, and the headers
// of Debian 12 know version 2 only, so this file defines the rights of later versions.
#include "lib/os/process/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kTruncate = 1u << 14;       // Version 3.
constexpr std::uint64_t kDeviceControl = 1u << 15;  // Version 5.
constexpr std::uint64_t kWriteFile = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
constexpr std::uint64_t kWrite = kRead | kWriteFile | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR;
constexpr std::uint64_t kSockets = LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr std::uint64_t kNoAbstractSockets = 1u << 0;  // Version 6, like the next.
constexpr std::uint64_t kNoSignals = 1u << 1;

// All rights of the version: a ruleset forbids what no rule allows.
std::uint64_t known_rights(int version) {
  std::uint64_t rights = (1u << 13) - 1;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

// The kernel's structure as of version 6. An earlier kernel accepts it if the fields that it does not know are 0.
struct Attributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};

// Files that every program reads. Links are followed.
constexpr std::array kSystem = {"/usr",           "/lib",
                                "/lib64",         "/etc/ld.so.cache",
                                "/etc/localtime", "/etc/ssl/openssl.cnf",
                                "/etc/hosts",     "/etc/nsswitch.conf",
                                "/dev/null",      "/dev/urandom",
                                "/proc/self",     "/proc/cpuinfo",
                                "/proc/meminfo",  "/proc/stat",
                                "/proc/sys",      "/sys/devices/system/cpu"};
// Name resolution and certificate authorities read these. Other programs replace the files at any time.
constexpr std::array kNetwork = {"/etc", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"};

class Ruleset {
 public:
  static Result<Ruleset> create(int version) {
    Attributes attributes{.files = known_rights(version)};
    if (version >= 6) attributes.scoped = kNoAbstractSockets | kNoSignals;
    UniqueFd descriptor(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0)));
    if (!descriptor) return posix_error("restrict files: make a Landlock ruleset", errno);
    return Ruleset(std::move(descriptor), attributes.files);
  }

  // A path that does not exist or cannot be entered needs no rule.
  Result<void> allow(const std::filesystem::path& path, std::uint64_t rights) {
    const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return ok();
    struct stat info {};
    if (!place || ::fstat(place.get(), &info) != 0) return posix_error("restrict files: open " + path.string(), errno);
    if (!S_ISDIR(info.st_mode)) rights &= kWriteFile;
    const landlock_path_beneath_attr rule{.allowed_access = rights & known_, .parent_fd = place.get()};
    if (::syscall(SYS_landlock_add_rule, descriptor_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
      return posix_error("restrict files: allow " + path.string(), errno);
    }
    return ok();
  }

  Result<void> enforce() const {
    if (::syscall(SYS_landlock_restrict_self, descriptor_.get(), 0) != 0) return posix_error("restrict files", errno);
    return ok();
  }

 private:
  Ruleset(UniqueFd descriptor, std::uint64_t known) : descriptor_(std::move(descriptor)), known_(known) {}

  UniqueFd descriptor_;
  std::uint64_t known_;
};

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

Result<void> restrict_files(const FileAccess& files, Network network) {
  const int version = landlock_version();
  if (version == 0) return ok();
  ASSIGN_OR_RETURN(Ruleset ruleset, Ruleset::create(version));
  for (const char* path : kSystem) RETURN_IF_ERROR(ruleset.allow(path, kRead));
  RETURN_IF_ERROR(ruleset.allow("/dev/null", kWriteFile));
  if (network == Network::kTcp) {
    for (const char* path : kNetwork) RETURN_IF_ERROR(ruleset.allow(path, kRead));
  }
  for (const auto& path : files.read) RETURN_IF_ERROR(ruleset.allow(path, kRead));
  for (const auto& path : files.write) RETURN_IF_ERROR(ruleset.allow(path, kWrite));
  for (const auto& path : files.sockets) RETURN_IF_ERROR(ruleset.allow(path, kSockets));
  return ruleset.enforce();
}

}  // namespace da::os
