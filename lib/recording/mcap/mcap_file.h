// The bytes and records of an MCAP file, at any offset. The content is hostile: lengths are checked before memory is
// allocated. Chunks are uncompressed or zstd. const methods: any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

class McapFile {
 public:
  struct Record {
    McapOp op{};
    std::uint64_t offset = 0;
    std::string content;

    std::uint64_t length() const { return kRecordPrefix + content.size(); }
    std::uint64_t end() const { return offset + length(); }
  };
  struct Chunk {
    std::uint64_t start_ns = 0;  // Earliest log time, as stated by the chunk.
    std::uint64_t end_ns = 0;
    std::string compression;
    std::uint64_t compressed_size = 0;
    std::string records;  // Decompressed.
  };
  struct Summary {
    McapFooter footer;
    std::string records;  // Bytes from footer.summary_start up to the footer.
  };

  // kDataLoss if it does not begin as an MCAP file.
  static Result<McapFile> open(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // When it was opened.

  // "FILE: the chunk at byte 17 is damaged"
  Error damaged(const std::string& what, std::uint64_t offset) const;
  Result<std::string> bytes_at(std::uint64_t offset, std::uint64_t size) const;
  // kOutOfRange if the file ends within the record.
  Result<Record> record_at(std::uint64_t offset) const;
  // kDataLoss if its checksum is wrong.
  Result<Chunk> chunk(const Record& record) const;
  // kNotFound if the file does not end with a footer.
  Result<McapFooter> footer() const;
  // kNotFound if the file has no end or no summary; kDataLoss if the summary is damaged.
  Result<Summary> summary() const;

  // Whether a process writes the file now.
  enum class Writer { kNone, kSome, kUnknown };
  Writer writer() const;

 private:
  McapFile(os::UniqueFd file, std::filesystem::path path, std::uint64_t size)
      : file_(std::move(file)), path_(std::move(path)), size_(size) {}

  os::UniqueFd file_;
  std::filesystem::path path_;
  std::uint64_t size_;
};

}  // namespace da::recording
