// One record of the audit log: a line of JSON that ends with its hash, so that jq reads the file and b2sum checks it.
//
//   {"seq":7,"prev":"<64 hex>","boot":"<writer's start>","time":"...","kind":"verdict",...,"hash":"<64 hex>"}
//
// hash is BLAKE2b-256 of all bytes of the line before `,"hash":"`; prev is the hash of the previous record, zeros for
// the first. The members between are those of AuditRecord, in the order of their calls. Foreign text is escaped
// (escape_foreign) and cut, so that a record has at most kMaxRecordBytes.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"

namespace da::policy {

inline constexpr std::size_t kMaxRecordBytes = 64 << 10;
inline constexpr std::size_t kHashHexBytes = 64;
inline constexpr std::size_t kShownText = 300;  // Default limit of a text, in characters.

// The content of a record, without its place in the chain. Empty texts and numbers that are 0 are left out.
class AuditRecord {
 public:
  AuditRecord(std::string_view kind, WallTime time);

  AuditRecord& text(std::string_view name, std::string_view value, std::size_t max_characters = kShownText);
  AuditRecord& number(std::string_view name, std::uint64_t value);
  AuditRecord& flag(std::string_view name, bool value);
  AuditRecord& digest(std::string_view name, std::string_view bytes);  // Written in hexadecimal.

  // `"time":"...","kind":"..."`, without braces.
  const std::string& members() const { return members_; }

 private:
  void open_member(std::string_view name);
  std::string members_;
};

// The last record of the chain.
struct ChainEnd {
  std::uint64_t seq = 0;
  std::string hash = std::string(kHashHexBytes, '0');
};

// Appends the line of the record, with a newline, as the successor of `end`, and makes it the new `end`.
void append_record(std::string& out, ChainEnd& end, std::string_view boot_id, const AuditRecord& record);

// The place in the chain that a line states, whether its hash is valid or not. Views into the line.
struct RecordLink {
  std::uint64_t seq;
  std::string_view prev;
  std::string_view hash;
};
// Takes a line without its newline; nullopt if it does not have the form of a record.
std::optional<RecordLink> read_link(std::string_view line);
bool hash_valid(std::string_view line, const RecordLink& link);

// Appends `value` as a JSON string with quotes, escaped (escape_foreign) and cut.
void append_json_text(std::string& out, std::string_view value, std::size_t max_characters);

}  // namespace da::policy
