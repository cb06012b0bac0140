// Signed statements about the end of the audit log, kept in a second place, so that a truncated or rewritten log is
// detected. Each head is one line of JSON:
//
//   {"log":"<64 hex>","seq":7,"hash":"<64 hex>","time":"...","boot":"...","key":"<64 hex>","signature":"<128 hex>"}
//
// log is the hash of the log's first record, hash that of record seq. The signature (GrantSigner::sign_audit_head) is
// by the key in the line, over all bytes of the line before `,"signature":"`.
// Pure except append_head(); any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/audit/record.h"

namespace da::policy {

class GrantSigner;

struct AuditHead {
  std::string log;
  std::uint64_t seq = 0;
  std::string hash;
  std::string time;
  std::string boot;
  std::string key;
};

// The line, without a newline. Sets head.key to the signer's.
std::string signed_head_line(AuditHead head, const GrantSigner& signer);

struct ReadHead {
  AuditHead head;
  bool signature_valid = false;  // By the key in the line, which may be anybody's.
};
// nullopt if the line is not a head.
std::optional<ReadHead> read_head(std::string_view line);

// Whether a line of an export is a head and not a record.
bool looks_like_head(std::string_view line);

// Appends the line durably to the file (0600). A line that a crash tore stays a line of its own.
Result<void> append_head(const std::filesystem::path& file, std::string line);

}  // namespace da::policy
