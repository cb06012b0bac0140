// Detects changes to an audit log (record.h) by anyone but the policy.
//
//   AuditVerifier verifier;
//   for each line: verifier.add_line(line);        // records, and the heads of an export
//   for each line of the second place: verifier.add_head(line);
//   AuditReport report = verifier.finish(keys);
//
// The chain alone reveals changed, removed, added and moved records. Only signed heads reveal a truncated end or a
// rewritten log, as far as they reach. Only a key that the caller knows to be the policy's proves a head.
// Uses 88 bytes of memory for each record. Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/policy/audit/head.h"
#include "services/policy/audit/record.h"

namespace da::policy {

struct AuditFault {
  enum class Kind {
    kChanged,
    kRemoved,
    kAdded,
    kReordered,
    kCutOff,
    kForked,     // Two histories: a head signs another record, or two records follow the same one.
    kTorn,       // The last record is incomplete; the policy's next append repairs and records that.
    kReplaced,   // The heads are of another log.
    kForgedHead  // A head has an invalid signature.
  };
  Kind kind;
  std::uint64_t line = 0;  // Line of the log, from 1; 0 for a fault of the heads.
  std::uint64_t seq = 0;   // The first affected record.
  std::string what;        // Text for people; foreign text is escaped.
};
std::string_view name_of(AuditFault::Kind kind);

struct AuditReport {
  bool intact() const { return fault_count == 0; }
  std::vector<AuditFault> faults;  // The first 100, in the order of the log.
  std::uint64_t fault_count = 0;
  std::uint64_t records = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t starts = 0;                   // Starts of a policy.
  std::uint64_t heads = 0;                    // Valid heads that match the log.
  std::uint64_t signed_up_to = 0;             // The last record that such a head names.
  std::map<std::string, std::uint64_t> keys;  // Number of signed heads by key.
  std::vector<std::string> notes;             // Remarks that are not faults.
};

class AuditVerifier {
 public:
  void add_line(std::string_view line, bool ended = true);
  void add_head(std::string_view line);

  // keys: the trusted public keys, hexadecimal. Empty: every key is accepted, which proves little.
  AuditReport finish(const std::set<std::string>& keys);

 private:
  using Digest = std::array<unsigned char, 32>;
  enum class State : std::uint8_t { kValid, kHashBroken, kNoRecord, kTorn };
  struct Entry {
    std::uint64_t line;
    std::uint64_t seq;
    Digest prev;
    Digest hash;
    State state;
  };
  struct Expected {
    std::uint64_t seq = 0;  // Number of the previous record.
    Digest hash{};
    bool hash_known = true;
    std::uint64_t unreadable = 0;  // Lines since then that are not records.
  };
  static Digest digest_of(std::string_view hex);
  void note_kind(std::string_view line, std::uint64_t seq);
  void check_chain();
  void check_link(std::size_t at, Expected& expected);
  void check_gap(std::size_t at, const Expected& expected);
  void check_repeat(std::size_t at, Expected& expected);
  void check_heads(const std::set<std::string>& keys);
  void check_head(const AuditHead& head, bool pinned, const std::string& log_id);
  std::vector<std::size_t> entries_of(std::uint64_t seq);
  void fault(AuditFault::Kind kind, std::uint64_t line, std::uint64_t seq, std::string what);

  std::vector<Entry> entries_;
  std::multimap<std::uint64_t, std::size_t> by_seq_;  // Filled at the first fault.
  std::vector<AuditHead> heads_;
  std::uint64_t lines_ = 0;
  AuditReport report_;
};

}  // namespace da::policy
