// One record of the audit log: a line of JSON that ends in its own hash, so that jq reads the file and b2sum checks it.
//
//   {"seq":7,"prev":"<64 hex>","boot":"<writer's start>","time":"...","kind":"verdict",...,"hash":"<64 hex>"}
//
// hash is BLAKE2b-256 of all bytes of the line before `,"hash":"`; prev is the hash of the record before, zeros for the
// first. The members between are those of AuditRecord, in the order in which they were added. Foreign text is escaped
// as it is shown to people (escape_foreign) and cut, so a record has at most kMaxRecordBytes.
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
inline constexpr std::size_t kShownText = 300;  // Characters of a foreign text, unless more are asked for.

// What a record says: everything but its place in the chain. Texts that are empty and numbers that are 0 are left out.
class AuditRecord {
 public:
  AuditRecord(std::string_view kind, WallTime time);

  AuditRecord& text(std::string_view name, std::string_view value, std::size_t max_characters = kShownText) &;
  AuditRecord& number(std::string_view name, std::uint64_t value) &;
  AuditRecord& flag(std::string_view name, bool value) &;
  AuditRecord& digest(std::string_view name, std::string_view bytes) &;  // In hexadecimal.

  // `"time":"...","kind":"..."`, without braces.
  const std::string& members() const { return members_; }

 private:
  void open_member(std::string_view name);
  std::string members_;
};

// A place in the chain: the record that was written last.
struct ChainEnd {
  std::uint64_t seq = 0;
  std::string hash = std::string(kHashHexBytes, '0');
};

// Appends the line of the record that follows `end`, with its newline, and moves `end` on to it.
void append_record(std::string& out, ChainEnd& end, std::string_view boot_id, const AuditRecord& record);

// What a line says about its place, whether its hash holds or not. Views into the line.
struct RecordLink {
  std::uint64_t seq;
  std::string_view prev;
  std::string_view hash;
};
// Of a line without its newline; nullopt where it does not have the form of a record.
std::optional<RecordLink> read_link(std::string_view line);
bool hash_holds(std::string_view line, const RecordLink& link);

// `value` as a JSON string, with quotes; foreign text escaped and cut.
void append_json_text(std::string& out, std::string_view value, std::size_t max_characters);

}  // namespace da::policy
