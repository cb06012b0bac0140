// Reads an MCAP file. Of a file that is not complete it reads the closed chunks. It checks every checksum, so that a
// damaged chunk is an error and never a wrong message. Chunks are uncompressed or zstd. const methods: any thread.
//
//   ASSIGN_OR_RETURN(const auto reader, McapReader::open(file));
//   if (!reader->problem().empty()) ...                    // how much is missing
//   RETURN_IF_ERROR(reader->read({}, [](const McapMessage& message) { ...; return ok(); }));
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/mcap_format.h"

namespace da::recording {

// Which messages to read.
struct McapRange {
  std::uint64_t from_ns = 0;  // Log time, inclusive.
  std::uint64_t to_ns = std::numeric_limits<std::uint64_t>::max();
  std::set<std::string> topics = {};  // Empty: all.
};

class McapReader {
 public:
  // kDataLoss if it is no MCAP file.
  static Result<std::unique_ptr<McapReader>> open(const std::filesystem::path& file);

  // Why the file is not complete, and how much of it cannot be read; empty if it is complete.
  const std::string& problem() const { return problem_; }
  const std::map<std::uint16_t, McapSchema>& schemas() const { return schemas_; }
  const std::map<std::uint16_t, McapChannel>& channels() const { return channels_; }
  const std::vector<McapChunkIndex>& chunks() const { return chunks_; }
  const McapStatistics& statistics() const { return statistics_; }

  // Passes the messages in the order of the file; opens only chunks that may hold some. Stops at the first error of
  // `take`. kDataLoss at a damaged chunk, after all messages of the chunks before it.
  using Take = std::function<Result<void>(const McapMessage& message)>;
  Result<void> read(const McapRange& range, const Take& take) const;

  // In the order of the file. kDataLoss if one is damaged.
  Result<std::vector<McapAttachment>> attachments() const;
  Result<std::vector<McapMetadata>> metadata() const;

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  // With its prefix.
  };
  struct Record {
    McapOp op{};
    std::string content;
  };
  McapReader(os::UniqueFd file, std::filesystem::path path, std::uint64_t size)
      : file_(std::move(file)), path_(std::move(path)), size_(size) {}
  Error damaged(const std::string& what, std::uint64_t offset) const;
  Result<std::string> bytes_at(std::uint64_t offset, std::uint64_t size) const;
  Result<Record> record_at(std::uint64_t offset) const;
  Result<std::string> chunk_records(std::string_view content, std::uint64_t offset) const;
  bool read_summary();
  void scan();
  Result<void> scan_record(const Record& record, std::uint64_t offset);
  Result<void> scan_chunk(const Record& record, std::uint64_t offset);
  bool may_hold(const McapChunkIndex& chunk, const McapRange& range) const;
  bool wants(const McapMessage& message, const McapRange& range) const;

  const os::UniqueFd file_;
  const std::filesystem::path path_;
  const std::uint64_t size_;
  std::string problem_;
  std::map<std::uint16_t, McapSchema> schemas_;
  std::map<std::uint16_t, McapChannel> channels_;
  std::vector<McapChunkIndex> chunks_;
  std::vector<Place> attachments_;
  std::vector<Place> metadata_;
  McapStatistics statistics_;
};

}  // namespace da::recording
