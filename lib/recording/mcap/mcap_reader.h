// Reads an MCAP file, also of other writers: messages in chunks or outside of them, with or without a summary. Of a
// file that is not complete it reads the closed chunks. It checks every checksum, so that a damaged chunk is an error
// and never a wrong message. Chunks are uncompressed or zstd. const methods: any thread.
//
//   ASSIGN_OR_RETURN(const auto reader, McapReader::open(file));
//   if (!reader->problem().empty()) ...                    // how much is missing
//   RETURN_IF_ERROR(reader->read({}, [](const McapMessage& message) { ...; return ok(); }));
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/recording/mcap/mcap_contents.h"
#include "lib/recording/mcap/mcap_file.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

// Which messages to read.
struct McapRange {
  std::uint64_t from_ns = 0;  // Log time, inclusive.
  std::uint64_t to_ns = std::numeric_limits<std::uint64_t>::max();
  std::set<std::string> topics = {};  // Empty: all.
};

class McapReader {
 public:
  // kDataLoss if it is no MCAP file. A file without a good summary is read up to `max_scan` bytes.
  static Result<std::unique_ptr<McapReader>> open(const std::filesystem::path& file,
                                                  std::uint64_t max_scan = kWholeFile);

  const McapFile& file() const { return file_; }
  // Why the file is not complete, and how many of its bytes cannot be read; empty if it is complete.
  const std::string& problem() const { return contents_.problem; }
  McapState state() const { return contents_.state; }
  // Read from its start, because its summary is missing, damaged, or leaves something out.
  bool by_scan() const { return contents_.by_scan; }
  const McapDefinitions& definitions() const { return contents_.definitions; }
  const std::map<std::uint16_t, McapSchema>& schemas() const { return contents_.definitions.schemas; }
  const std::map<std::uint16_t, McapChannel>& channels() const { return contents_.definitions.channels; }
  const std::vector<McapChunkIndex>& chunks() const { return contents_.chunks; }
  const McapStatistics& statistics() const { return contents_.statistics; }

  // Passes the messages in the order of the file; opens only chunks that may hold some. Stops at the first error of
  // `take`. kDataLoss at a damaged chunk, after all messages of the chunks before it.
  using Take = std::function<Result<void>(const McapMessage& message)>;
  Result<void> read(const McapRange& range, const Take& take) const;

  // Returns them in the order of the file. kDataLoss if one is damaged, kResourceExhausted if they are very large.
  Result<std::vector<McapAttachment>> attachments() const;
  // Passes one after the other, because all together may need much memory.
  Result<void> read_attachments(const std::function<Result<void>(const McapAttachment& attachment)>& take) const;
  Result<std::vector<McapMetadata>> metadata() const;

 private:
  McapReader(McapFile file, McapContents contents) : file_(std::move(file)), contents_(std::move(contents)) {}
  Result<void> read_chunk(const McapChunkIndex& index, const McapRange& range, const Take& take) const;
  Result<void> read_loose(const McapLooseRecords& run, const McapRange& range, const Take& take) const;
  bool may_hold(const McapChunkIndex& chunk, const McapRange& range) const;
  bool wants(const McapMessage& message, const McapRange& range) const;
  // kDataLoss if the file has no such record at this offset.
  Result<McapFile::Record> indexed_record(std::uint64_t offset, McapOp op, const std::string& name) const;
  template <class Decoded>
  Result<void> decode_at(const std::set<std::uint64_t>& offsets, McapOp op, const std::string& name,
                         const std::function<Result<void>(Decoded& decoded)>& take) const;
  template <class Decoded>
  Result<std::vector<Decoded>> decode_all(const std::set<std::uint64_t>& offsets, McapOp op,
                                          const std::string& name) const;

  const McapFile file_;
  const McapContents contents_;
};

}  // namespace da::recording
