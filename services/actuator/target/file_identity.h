// Identifies a file and distinguishes it from one that has replaced it at its path. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace da::actuator {

struct FileIdentity {
  std::string canonical_path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // A new file may reuse it, so changed_ns is compared too.
  std::int64_t changed_ns = 0;
  std::uint64_t size = 0;  // Bytes.
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

}  // namespace da::actuator
