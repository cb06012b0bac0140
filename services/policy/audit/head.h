// A signed statement about the end of the audit log at one moment, kept in a second place, so that a log that was cut
// off or rewritten is told from the one that was. One line of JSON each:
//
//   {"log":"<64 hex>","seq":7,"hash":"<64 hex>","time":"...","boot":"...","key":"<64 hex>","signature":"<128 hex>"}
//
// log is the hash of the log's first record; hash that of record seq. The signature is Ed25519 by the key named in the
// line, over "da.v1.audit-head", a zero byte, and all bytes of the line before `,"signature":"`.
// Pure but for append_head; any thread.
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

std::string audit_head_signing_input(std::string_view statement);

// The line, without a newline. `head.key` is set to the signer's.
std::string signed_head_line(AuditHead head, const GrantSigner& signer);

struct ReadHead {
  AuditHead head;
  bool signature_holds = false;  // By the key that the line names, whoever's that is.
};
// nullopt where the line is no head.
std::optional<ReadHead> read_head(std::string_view line);

// Whether a line of an export is a head, and not a record.
bool looks_like_head(std::string_view line);

// Appends the line to the file (0600), durably. A line that a crash tore there stays by itself.
Result<void> append_head(const std::filesystem::path& file, std::string line);

}  // namespace da::policy
