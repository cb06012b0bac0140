// Writes one recording (docs/RECORDING.md): an MCAP file with the facts byte for byte, their schemas, marks for lost
// facts, and messages for general viewers. Errors are those of the file; after one, every call fails. Not thread-safe.
//
//   ASSIGN_OR_RETURN(auto recording, RecordingFile::create(file, {{"task", task_id}, {"goal", goal}}));
//   RETURN_IF_ERROR(recording->add(fact, now));
//   RETURN_IF_ERROR(recording->finish({{"end", "done"}}));
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/mcap/mcap_writer.h"
#include "lib/recording/recorded_fact.h"
#include "lib/recording/viewer_messages.h"

namespace da::recording {

// Names of the metadata records: what is recorded, and how it ended.
inline constexpr const char* kAboutMetadata = "desktopassist.recording";
inline constexpr const char* kEndMetadata = "desktopassist.end";
inline constexpr const char* kGapTopic = "recording.gap";
inline constexpr const char* kMessageEncoding = "protobuf";

class RecordingFile {
 public:
  using Values = std::map<std::string, std::string>;

  // Creates the file with mode 0600. kAlreadyExists if it has content. `about` also gets "version" and "format".
  static Result<std::unique_ptr<RecordingFile>> create(const std::filesystem::path& file, Values about);

  // `now`: when the fact or gap was received.
  Result<void> add(const RecordedFact& fact, WallTime now);
  Result<void> add(const v1::RecordingGap& gap, WallTime now);
  Result<void> attach(const std::string& name, const std::string& media_type, std::string data, WallTime now);
  // Waits until the disk has everything.
  Result<void> sync();
  // `end` also gets "facts" and "lost", the number of lost facts. The file is complete afterwards.
  Result<void> finish(Values end);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t bytes_written() const { return writer_->bytes_written(); }

 private:
  RecordingFile(std::unique_ptr<McapWriter> writer, std::filesystem::path path)
      : writer_(std::move(writer)), path_(std::move(path)) {}
  std::uint16_t channel(const std::string& topic, const google::protobuf::Descriptor& type);
  Result<void> add(std::uint16_t channel, std::uint64_t sequence, std::int64_t published_ns, WallTime now,
                   std::string_view data, std::string_view rest = {});

  const std::unique_ptr<McapWriter> writer_;
  const std::filesystem::path path_;
  ViewerMessages viewer_;
  std::map<std::string, std::uint16_t> channels_;  // Keyed by topic.
  std::map<const google::protobuf::Descriptor*, std::uint16_t> schemas_;
  std::uint64_t last_log_time_ = 0;
  std::uint64_t facts_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace da::recording
