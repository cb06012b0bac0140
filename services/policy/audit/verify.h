// Finds what was done to an audit log (record.h) by someone other than the policy.
//
//   AuditVerifier verifier;
//   for each line: verifier.add_line(line);        // records, and the heads of an export
//   for each line of the second place: verifier.add_head(line);
//   AuditReport report = verifier.finish(keys);
//
// The chain alone shows a record that was changed, removed, added or moved. That its end was cut off, or that it was
// written anew from some record on, only the signed heads show, and only as far as they reach; that a head is genuine,
// only a key that the caller knows to be the policy's.
// Holds 88 bytes for each record. Pure; one thread.
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
    kForked,     // Two histories: the heads sign another record, or two records follow the same one.
    kTorn,       // The last record was not written whole; the policy's next start mends that, and says so.
    kReplaced,   // The heads are of another log.
    kForgedHead  // A head whose signature does not hold.
  };
  Kind kind;
  std::uint64_t line = 0;  // Of the log, from 1; 0 where it is about the heads.
  std::uint64_t seq = 0;   // Of the first record that it concerns.
  std::string what;        // For people; foreign text escaped.
};
std::string_view name_of(AuditFault::Kind kind);

struct AuditReport {
  bool intact() const { return fault_count == 0; }
  std::vector<AuditFault> faults;  // The first ones, in the order of the log.
  std::uint64_t fault_count = 0;
  std::uint64_t records = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t starts = 0;                   // Of policies.
  std::uint64_t heads = 0;                    // That hold and agree with the log.
  std::uint64_t signed_up_to = 0;             // The last record that such a head names.
  std::map<std::string, std::uint64_t> keys;  // That signed heads, and how many.
  std::vector<std::string> notes;             // What a reader should know although it is no fault.
};

class AuditVerifier {
 public:
  void add_line(std::string_view line, bool ended = true);
  void add_head(std::string_view line);

  // keys: public keys, hexadecimal, that heads must be signed with; empty: any, which proves little.
  AuditReport finish(const std::set<std::string>& keys);

 private:
  using Digest = std::array<unsigned char, 32>;
  enum class State : std::uint8_t { kHolds, kHashBroken, kNoRecord, kTorn };
  struct Entry {
    std::uint64_t line;
    std::uint64_t seq;
    Digest prev;
    Digest hash;
    State state;
  };
  struct Expected {
    std::uint64_t seq = 0;  // Of the record before.
    Digest hash{};
    bool hash_known = true;
    std::uint64_t unreadable = 0;  // Lines since then that are no records.
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
