#include "services/policy/audit/record.h"

#include <algorithm>
#include <charconv>

#include "lib/base/id.h"
#include "lib/base/text.h"

namespace da::policy {
namespace {

constexpr std::string_view kSeqMember = "{\"seq\":";
constexpr std::string_view kPrevMember = ",\"prev\":\"";
constexpr std::string_view kHashMember = ",\"hash\":\"";
constexpr std::string_view kRecordEnd = "\"}";

bool is_lower_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void append_number(std::string& out, std::uint64_t value) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

bool consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

void append_json_text(std::string& out, std::string_view value, std::size_t max_characters) {
  // Fast path for plain texts, which most are: a pass without branches, which the compiler vectorises.
  unsigned foreign = value.size() > max_characters;
  unsigned marked = 0;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    foreign |= static_cast<unsigned>(byte < 0x20) | static_cast<unsigned>(byte >= 0x7f);
    marked |= static_cast<unsigned>(byte == '"') | static_cast<unsigned>(byte == '\\');
  }
  out += '"';
  if ((foreign | marked) == 0) {
    out += value;
  } else {
    for (const char c : escape_foreign(value, max_characters)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

AuditRecord::AuditRecord(std::string_view kind, WallTime time) {
  members_.reserve(512);
  members_ += "\"time\":\"";
  members_ += format_wall(time);
  members_ += '"';
  text("kind", kind);
}

void AuditRecord::open_member(std::string_view name) {
  members_ += ",\"";
  members_ += name;
  members_ += "\":";
}

AuditRecord& AuditRecord::text(std::string_view name, std::string_view value, std::size_t max_characters) {
  if (value.empty()) return *this;
  open_member(name);
  append_json_text(members_, value, max_characters);
  return *this;
}

AuditRecord& AuditRecord::number(std::string_view name, std::uint64_t value) {
  if (value == 0) return *this;
  open_member(name);
  append_number(members_, value);
  return *this;
}

AuditRecord& AuditRecord::flag(std::string_view name, bool value) {
  open_member(name);
  members_ += value ? "true" : "false";
  return *this;
}

AuditRecord& AuditRecord::digest(std::string_view name, std::string_view bytes) { return text(name, to_hex(bytes)); }

void append_record(std::string& out, ChainEnd& end, std::string_view boot_id, const AuditRecord& record) {
  const std::size_t begin = out.size();
  out += kSeqMember;
  append_number(out, ++end.seq);
  out += kPrevMember;
  out += end.hash;
  out += "\",\"boot\":\"";
  out += boot_id;
  out += "\",";
  out += record.members();
  end.hash = to_hex(blake2b(std::string_view(out).substr(begin)));
  out += kHashMember;
  out += end.hash;
  out += kRecordEnd;
  out += '\n';
}

std::optional<RecordLink> read_link(std::string_view line) {
  if (line.size() > kMaxRecordBytes || !line.ends_with(kRecordEnd)) return std::nullopt;
  RecordLink link{};
  const std::size_t hash_size = kHashMember.size() + kHashHexBytes + kRecordEnd.size();
  std::string_view rest = line;
  if (!consume(rest, kSeqMember)) return std::nullopt;
  const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), link.seq);
  // Each number has one spelling, so that different lines are different records.
  if (number.ec != std::errc() || link.seq == 0 || rest.front() == '0') return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(number.ptr - rest.data()));
  if (!consume(rest, kPrevMember) || rest.size() < kHashHexBytes + 2 + hash_size) return std::nullopt;
  link.prev = rest.substr(0, kHashHexBytes);
  rest.remove_prefix(kHashHexBytes);
  if (!rest.starts_with("\",")) return std::nullopt;
  rest = rest.substr(rest.size() - hash_size);
  if (!consume(rest, kHashMember)) return std::nullopt;
  link.hash = rest.substr(0, kHashHexBytes);
  if (!is_lower_hex(link.prev) || !is_lower_hex(link.hash)) return std::nullopt;
  return link;
}

bool hash_valid(std::string_view line, const RecordLink& link) {
  const std::size_t covered = line.size() - kRecordEnd.size() - kHashHexBytes - kHashMember.size();
  return to_hex(blake2b(line.substr(0, covered))) == link.hash;
}

}  // namespace da::policy
