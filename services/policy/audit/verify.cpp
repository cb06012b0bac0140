#include "services/policy/audit/verify.h"

#include <sodium.h>

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"

namespace da::policy {
namespace {

using Kind = AuditFault::Kind;

constexpr std::size_t kShownFaults = 100;
constexpr std::size_t kShownNotes = 100;

std::string record_name(std::uint64_t seq) { return "record " + std::to_string(seq); }

std::string range_name(std::uint64_t first, std::uint64_t last) {
  return first == last ? record_name(first) + " is"
                       : "records " + std::to_string(first) + " to " + std::to_string(last) + " are";
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kChanged: return "changed";
    case Kind::kRemoved: return "removed";
    case Kind::kAdded: return "added";
    case Kind::kReordered: return "reordered";
    case Kind::kCutOff: return "cut off";
    case Kind::kForked: return "forked";
    case Kind::kTorn: return "torn";
    case Kind::kReplaced: return "replaced";
    case Kind::kForgedHead: return "forged head";
  }
  return "unknown";
}

AuditVerifier::Digest AuditVerifier::digest_of(std::string_view hex) {
  Digest digest{};
  sodium_hex2bin(digest.data(), digest.size(), hex.data(), hex.size(), nullptr, nullptr, nullptr);
  return digest;
}

void AuditVerifier::add_line(std::string_view line, bool ended) {
  if (looks_like_head(line)) return add_head(line);
  Entry entry{++lines_, 0, {}, {}, State::kNoRecord};
  if (!ended) {
    entry.state = State::kTorn;
  } else if (const auto link = read_link(line)) {
    entry.seq = link->seq;
    entry.prev = digest_of(link->prev);
    entry.hash = digest_of(link->hash);
    entry.state = hash_valid(line, *link) ? State::kValid : State::kHashBroken;
    if (entry.state == State::kValid) note_kind(line, link->seq);
  }
  entries_.push_back(entry);
}

void AuditVerifier::note_kind(std::string_view line, std::uint64_t seq) {
  // The writer puts the kind among the first members, before any foreign text.
  const std::string_view start = line.substr(0, 300);
  if (start.find("\"kind\":\"started\"") != std::string_view::npos) ++report_.starts;
  if (start.find("\"kind\":\"recovered\"") == std::string_view::npos || report_.notes.size() >= kShownNotes) return;
  report_.notes.push_back(record_name(seq) + " reports a recovery: " + escape_foreign(line.substr(0, 1'000), 1'000));
}

void AuditVerifier::add_head(std::string_view line) {
  const auto head = read_head(line);
  if (!head) {
    if (!line.empty() && report_.notes.size() < kShownNotes) {
      report_.notes.push_back("a line of the heads is not a head, which a crash may cause: " +
                              escape_foreign(line, 60));
    }
    return;
  }
  if (!head->signature_valid) {
    return fault(Kind::kForgedHead, 0, head->head.seq,
                 "a head of " + record_name(head->head.seq) + " has an invalid signature");
  }
  ++report_.keys[head->head.key];
  heads_.push_back(head->head);
}

void AuditVerifier::fault(Kind kind, std::uint64_t line, std::uint64_t seq, std::string what) {
  if (++report_.fault_count <= kShownFaults) report_.faults.push_back({kind, line, seq, std::move(what)});
}

AuditReport AuditVerifier::finish(const std::set<std::string>& keys) {
  // Faults of heads were found while they were read; those of the log come first.
  std::vector<AuditFault> of_heads = std::exchange(report_.faults, {});
  check_chain();
  report_.faults.insert(report_.faults.end(), of_heads.begin(), of_heads.end());
  check_heads(keys);
  return std::move(report_);
}

void AuditVerifier::check_chain() {
  Expected expected;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const Entry& entry = entries_[at];
    if (entry.state == State::kTorn) {
      fault(Kind::kTorn, entry.line, expected.seq + 1,
            "the last line is incomplete after a crash or a manipulation; the policy's next start moves it aside");
    } else if (entry.state == State::kNoRecord) {
      ++expected.unreadable;
      fault(Kind::kChanged, entry.line, expected.seq + 1, "the line is not a record");
    } else {
      report_.records += 1;
      report_.last_seq = std::max(report_.last_seq, entry.seq);
      check_link(at, expected);
    }
  }
}

// Compares a record with the previous one, and makes it the expected predecessor of the next.
void AuditVerifier::check_link(std::size_t at, Expected& expected) {
  const Entry& entry = entries_[at];
  const std::uint64_t next = expected.seq + 1;
  if (entry.state == State::kHashBroken) {
    fault(Kind::kChanged, entry.line, entry.seq, record_name(entry.seq) + " does not have the hash that it states");
    expected = {entry.seq == next ? next : std::max(next, entry.seq), entry.hash, true, 0};
    return;
  }
  const bool follows = expected.hash_known && entry.prev == expected.hash;
  const bool behind_unreadable = expected.unreadable > 0 && entry.seq == next + expected.unreadable;
  if (entry.seq == next && follows) {
    // The normal case; lines between that are not records have been reported.
  } else if (behind_unreadable) {
    // The unreadable lines were the missing records.
  } else if (entry.seq == next) {
    fault(Kind::kChanged, entry.line, expected.seq == 0 ? entry.seq : expected.seq,
          expected.seq == 0 ? record_name(entry.seq) + " does not begin a chain"
                            : record_name(expected.seq) + " is not the predecessor of " + record_name(entry.seq) +
                                  ": one of them was changed together with its hash");
  } else if (entry.seq > next) {
    check_gap(at, expected);
  } else {
    return check_repeat(at, expected);
  }
  expected = {entry.seq, entry.hash, true, 0};
}

// Reports records that are missing between the previous one and this one.
void AuditVerifier::check_gap(std::size_t at, const Expected& expected) {
  const Entry& entry = entries_[at];
  const std::uint64_t missing = expected.seq + 1;
  const auto found = entries_of(missing);
  const bool comes_later = std::ranges::any_of(found, [at](std::size_t other) { return other > at; });
  if (comes_later) {
    fault(Kind::kReordered, entry.line, missing, record_name(entry.seq) + " is placed before " + record_name(missing));
  } else {
    fault(Kind::kRemoved, entry.line, missing,
          range_name(missing, entry.seq - 1) + " missing before " + record_name(entry.seq));
  }
}

// Handles a record with the number of an earlier one.
void AuditVerifier::check_repeat(std::size_t at, Expected& expected) {
  const Entry& entry = entries_[at];
  const auto same_number = entries_of(entry.seq);
  const auto earlier = std::ranges::find_if(same_number, [at](std::size_t other) { return other < at; });
  if (earlier == same_number.end()) return;  // Reported as missing.
  const Entry& first = entries_[*earlier];
  if (first.hash == entry.hash) {
    return fault(Kind::kAdded, entry.line, entry.seq,
                 "a copy of " + record_name(entry.seq) + ", which is in line " + std::to_string(first.line));
  }
  if (first.prev == entry.prev) {
    fault(Kind::kForked, entry.line, entry.seq,
          "two records follow " + record_name(entry.seq - 1) + ": lines " + std::to_string(first.line) + " and " +
              std::to_string(entry.line));
    expected = {entry.seq, entry.hash, true, 0};
    return;
  }
  fault(Kind::kAdded, entry.line, entry.seq,
        record_name(entry.seq) + " differs from the one in line " + std::to_string(first.line));
}

std::vector<std::size_t> AuditVerifier::entries_of(std::uint64_t seq) {
  if (seq >= 1 && seq <= entries_.size() && report_.fault_count == 0 && by_seq_.empty() &&
      report_.records == entries_.size()) {
    return {static_cast<std::size_t>(seq) - 1};
  }
  if (by_seq_.empty()) {
    for (std::size_t at = 0; at < entries_.size(); ++at) {
      if (entries_[at].state != State::kTorn && entries_[at].state != State::kNoRecord) {
        by_seq_.emplace(entries_[at].seq, at);
      }
    }
  }
  std::vector<std::size_t> found;
  for (auto [entry, end] = by_seq_.equal_range(seq); entry != end; ++entry) found.push_back(entry->second);
  return found;
}

void AuditVerifier::check_heads(const std::set<std::string>& keys) {
  const bool begins = !entries_.empty() && entries_.front().seq == 1;
  const auto& first = entries_.empty() ? Digest{} : entries_.front().hash;
  const std::string log_id = begins ? to_hex({reinterpret_cast<const char*>(first.data()), first.size()}) : "";
  std::uint64_t unpinned = 0;
  for (const AuditHead& head : heads_) {
    const bool pinned = keys.empty() || keys.contains(head.key);
    unpinned += pinned ? 0 : 1;
    check_head(head, pinned, log_id);
  }
  if (unpinned > 0) {
    report_.notes.push_back(std::to_string(unpinned) +
                            " heads are signed with keys that --key does not name, and prove nothing");
  }
  if (!keys.empty() && report_.heads == 0 && report_.fault_count == 0) {
    fault(Kind::kCutOff, 0, 0, "no head is signed with a key that --key names, so nothing proves whose log this is");
  }
  if (report_.signed_up_to < report_.last_seq) {
    report_.notes.push_back(range_name(report_.signed_up_to + 1, report_.last_seq) +
                            " not signed yet: nothing proves that no later record was cut off");
  }
}

// Ignores a head with an untrusted key: anybody may have written it.
void AuditVerifier::check_head(const AuditHead& head, bool pinned, const std::string& log_id) {
  if (!pinned) return;
  const std::string said = "the head of " + escape_foreign(head.time, 40);
  if (!log_id.empty() && head.log != log_id) {
    return fault(Kind::kReplaced, 0, 1,
                 said + " is of another log, whose first record has the hash " + escape_foreign(head.log, 64));
  }
  const auto found = entries_of(head.seq);
  const auto agrees = [&](std::size_t at) {
    const Digest& hash = entries_[at].hash;
    return to_hex({reinterpret_cast<const char*>(hash.data()), hash.size()}) == head.hash;
  };
  if (std::ranges::any_of(found, agrees)) {
    ++report_.heads;
    report_.signed_up_to = std::max(report_.signed_up_to, head.seq);
  } else if (!found.empty()) {
    fault(Kind::kForked, entries_[found.front()].line, head.seq,
          said + " signs another " + record_name(head.seq) + ": the log was rewritten from that record on or earlier");
  } else if (head.seq > report_.last_seq) {
    fault(Kind::kCutOff, 0, report_.last_seq + 1,
          said + " signs " + record_name(head.seq) + ", but the log ends with " + record_name(report_.last_seq));
  }
}

}  // namespace da::policy
