#include "lib/recording/mcap/mcap_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>

#include "lib/base/text.h"

namespace da::recording {
namespace {

constexpr std::uint64_t kMaxRecord = 1u << 30;
constexpr std::uint64_t kMaxChunk = 256u << 20;
constexpr std::uint64_t kFooterContent = 20;
constexpr std::uint64_t kEnd = kRecordPrefix + kFooterContent + kMcapMagic.size();

}  // namespace

Result<McapFile> McapFile::open(const std::filesystem::path& file) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  os::UniqueFd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.get() < 0) return posix_error("open " + file.string(), errno);
  struct stat info {};
  if (::fstat(opened.get(), &info) != 0) return posix_error("look at " + file.string(), errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, file.string() + " is not a regular file"};
  McapFile mcap(std::move(opened), file, static_cast<std::uint64_t>(info.st_size));
  const auto magic = mcap.bytes_at(0, kMcapMagic.size());
  if (!magic || *magic != kMcapMagic) return Error{Code::kDataLoss, file.string() + " is not an MCAP file"};
  return mcap;
}

Error McapFile::damaged(const std::string& what, std::uint64_t offset) const {
  return {Code::kDataLoss, path_.string() + ": the " + what + " at byte " + std::to_string(offset) + " is damaged"};
}

Result<std::string> McapFile::bytes_at(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size > size_ - offset) {
    return Error{Code::kOutOfRange, path_.string() + " ends within the record at byte " + std::to_string(offset)};
  }
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file_.get(), bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read " + path_.string(), errno);
    if (got == 0) return Error{Code::kDataLoss, path_.string() + " became shorter while it was read"};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

Result<McapFile::Record> McapFile::record_at(std::uint64_t offset) const {
  ASSIGN_OR_RETURN(const std::string prefix, bytes_at(offset, kRecordPrefix));
  McapDecoder fields(prefix);
  const auto op = static_cast<McapOp>(fields.u8());
  const std::uint64_t length = fields.u64();
  if (op == McapOp{} || length > kMaxRecord) return damaged("record", offset);
  const std::uint64_t present = size_ - offset - kRecordPrefix;
  if (length > present) {
    return Error{Code::kOutOfRange, path_.string() + " ends within the record at byte " + std::to_string(offset) +
                                        "; at least " + std::to_string(length - present) + " bytes are missing"};
  }
  ASSIGN_OR_RETURN(std::string content, bytes_at(offset + kRecordPrefix, length));
  return Record{op, offset, std::move(content)};
}

Result<McapFile::Chunk> McapFile::chunk(const Record& record) const {
  McapDecoder fields(record.content);
  Chunk chunk{.start_ns = fields.u64(), .end_ns = fields.u64()};
  const std::uint64_t size = fields.u64();
  const std::uint32_t crc = fields.u32();
  chunk.compression = fields.text();
  const std::string_view compressed = fields.raw(fields.u64());
  chunk.compressed_size = compressed.size();
  if (record.op != McapOp::kChunk || !fields.ok() || size > kMaxChunk) return damaged("chunk", record.offset);
  if (chunk.compression.empty()) {
    chunk.records = compressed;
  } else if (chunk.compression == "zstd") {
    // Compare the sizes first, so that no memory is allocated for a wrong one.
    const auto known = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
    if (known != size && known != ZSTD_CONTENTSIZE_UNKNOWN) return damaged("chunk", record.offset);
    chunk.records.resize(size);
    if (ZSTD_decompress(chunk.records.data(), size, compressed.data(), compressed.size()) != size) {
      return damaged("chunk", record.offset);
    }
  } else {
    return Error{Code::kUnimplemented, path_.string() + ": chunks compressed with " +
                                           quote_foreign(chunk.compression, 40) + " cannot be read, only zstd"};
  }
  if (chunk.records.size() != size || (crc != 0 && crc != crc32_of(chunk.records))) {
    return damaged("chunk", record.offset);
  }
  return chunk;
}

Result<McapFooter> McapFile::footer() const {
  const Error none{Code::kNotFound, path_.string() + " has no end"};
  if (size_ < kMcapMagic.size() + kEnd) return none;
  ASSIGN_OR_RETURN(const std::string end, bytes_at(size_ - kEnd, kEnd));
  McapDecoder fields(end);
  const bool is_footer = static_cast<McapOp>(fields.u8()) == McapOp::kFooter && fields.u64() == kFooterContent;
  McapFooter footer;
  if (!end.ends_with(kMcapMagic) || !is_footer || !decode(fields.rest(), footer)) return none;
  return footer;
}

Result<McapFile::Summary> McapFile::summary() const {
  Summary summary;
  ASSIGN_OR_RETURN(summary.footer, footer());
  const std::uint64_t start = summary.footer.summary_start;
  if (start == 0) return Error{Code::kNotFound, path_.string() + " has no summary"};
  if (start > size_ - kEnd || size_ - start > kMaxRecord) return damaged("footer", size_ - kEnd);
  constexpr std::uint64_t kCrcAndMagic = sizeof(McapFooter::crc) + kMcapMagic.size();
  ASSIGN_OR_RETURN(summary.records, bytes_at(start, size_ - start - kCrcAndMagic));
  const std::uint32_t crc = summary.footer.crc;
  if (crc != 0 && crc != crc32_of(summary.records)) return damaged("summary", start);
  summary.records.resize(size_ - kEnd - start);
  return summary;
}

McapFile::Writer McapFile::writer() const {
  // The kernel grants a read lease only while nobody has the file open for writing. If somebody opens it before the
  // lease is given back, the kernel sends a signal: SIGURG, which a process ignores by default, instead of SIGIO.
  if (::fcntl(file_.get(), F_SETSIG, SIGURG) != 0) return Writer::kUnknown;
  if (::fcntl(file_.get(), F_SETLEASE, F_RDLCK) == 0) {
    ::fcntl(file_.get(), F_SETLEASE, F_UNLCK);
    return Writer::kNone;
  }
  return errno == EAGAIN ? Writer::kSome : Writer::kUnknown;
}

}  // namespace da::recording
