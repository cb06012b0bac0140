#include "lib/recording/mcap/mcap_walk.h"

#include <algorithm>
#include <optional>

namespace da::recording {
namespace {

constexpr std::uint64_t kSearchWindow = 1u << 20;
// Bytes of candidates that turned out to be no records.
constexpr std::uint64_t kSearchBudget = 4ull << 30;

struct Whole {
  McapFile::Record record;
  std::optional<McapFile::Chunk> chunk;
};

bool is_known(McapOp op) { return op >= McapOp::kHeader && op <= McapOp::kDataEnd; }

// The record at this offset, if it is whole.
Result<Whole> read_whole(const McapFile& file, std::uint64_t offset) {
  ASSIGN_OR_RETURN(auto record, file.record_at(offset));
  if (!is_known(record.op) && !is_private(record.op)) return file.damaged("record", offset);
  Whole whole{std::move(record), std::nullopt};
  if (whole.record.op == McapOp::kChunk) {
    ASSIGN_OR_RETURN(whole.chunk, file.chunk(whole.record));
  }
  if (McapAttachment attachment; whole.record.op == McapOp::kAttachment && !decode(whole.record.content, attachment)) {
    return file.damaged("attachment", offset);
  }
  if (McapMetadata metadata; whole.record.op == McapOp::kMetadata && !decode(whole.record.content, metadata)) {
    return file.damaged("metadata", offset);
  }
  return whole;
}

// Where the record ends by its prefix, if another one begins there.
std::optional<std::uint64_t> end_by_prefix(const McapFile& file, std::uint64_t offset) {
  const auto prefix = file.bytes_at(offset, kRecordPrefix);
  if (!prefix) return std::nullopt;
  McapDecoder fields(*prefix);
  const auto op = static_cast<McapOp>(fields.u8());
  const std::uint64_t length = fields.u64();
  if (!is_known(op) || length > file.size()) return std::nullopt;
  const std::uint64_t end = offset + kRecordPrefix + length;
  const auto next = file.bytes_at(end, kRecordPrefix);
  if (!next) return std::nullopt;
  McapDecoder next_fields(*next);
  const auto next_op = static_cast<McapOp>(next_fields.u8());
  return is_known(next_op) && next_fields.u64() <= file.size() - end - kRecordPrefix ? std::optional(end)
                                                                                     : std::nullopt;
}

// Whether the bytes may begin a record that read_whole() can verify.
bool is_candidate(std::string_view prefix, std::uint64_t bytes_left) {
  McapDecoder fields(prefix);
  const auto op = static_cast<McapOp>(fields.u8());
  const std::uint64_t length = fields.u64();
  if (!fields.ok() || length > bytes_left) return false;
  return op == McapOp::kDataEnd ? length == sizeof(std::uint32_t)
                                : op == McapOp::kChunk || op == McapOp::kAttachment || op == McapOp::kMetadata;
}

// Stricter than read_whole(): metadata and the end of the data have no checksums.
bool is_surely(const Whole& whole) {
  const std::string_view content = whole.record.content;
  if (whole.record.op == McapOp::kMetadata) {
    McapDecoder fields(content);
    fields.text();
    fields.text_map();
    return fields.ok() && fields.at_end() && !content.empty();
  }
  return true;
}

std::uint64_t find_record(const McapFile& file, std::uint64_t from, std::uint64_t& budget) {
  for (std::uint64_t begin = from; begin + kRecordPrefix <= file.size() && budget > 0; begin += kSearchWindow) {
    const auto window = file.bytes_at(begin, std::min(kSearchWindow + kRecordPrefix - 1, file.size() - begin));
    if (!window) break;
    for (std::size_t at = 0; at < kSearchWindow && at + kRecordPrefix <= window->size(); ++at) {
      const std::uint64_t offset = begin + at;
      const auto prefix = std::string_view(*window).substr(at, kRecordPrefix);
      if (!is_candidate(prefix, file.size() - offset - kRecordPrefix)) continue;
      const auto whole = read_whole(file, offset);
      if (whole && is_surely(*whole)) return offset;
      McapDecoder fields(prefix.substr(1));
      budget -= std::min(budget, fields.u64() + kRecordPrefix);
      if (budget == 0) break;
    }
  }
  return file.size();
}

}  // namespace

Result<void> walk(const McapFile& file, const McapWalk& callbacks) {
  std::uint64_t budget = kSearchBudget;
  std::uint64_t offset = kMcapMagic.size();
  while (offset < file.size()) {
    const auto whole = read_whole(file, offset);
    if (whole) {
      RETURN_IF_ERROR(callbacks.record(whole->record, whole->chunk ? &*whole->chunk : nullptr));
      if (whole->record.op == McapOp::kFooter) return ok();
      offset = whole->record.end();
      continue;
    }
    const auto end = end_by_prefix(file, offset);
    const std::uint64_t next = end ? *end : find_record(file, offset + 1, budget);
    RETURN_IF_ERROR(callbacks.damage({offset, next - offset, whole.error().message}));
    offset = next;
  }
  return ok();
}

}  // namespace da::recording
