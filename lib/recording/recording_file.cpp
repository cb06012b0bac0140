#include "lib/recording/recording_file.h"

#include <algorithm>

#include "lib/bus/topics.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/schema.h"
#include "lib/service/version.h"

namespace da::recording {
namespace {

constexpr const char* kFormat = "1";  // Version of the format in docs/RECORDING.md.

}  // namespace

Result<std::unique_ptr<RecordingFile>> RecordingFile::create(const std::filesystem::path& file, Values about) {
  ASSIGN_OR_RETURN(auto writer, McapWriter::create(file));
  about["version"] = service::kVersion;
  about["format"] = kFormat;
  RETURN_IF_ERROR(writer->add_metadata({kAboutMetadata, std::move(about)}));
  return std::unique_ptr<RecordingFile>(new RecordingFile(std::move(writer), file));
}

std::uint16_t RecordingFile::channel(const std::string& topic, const google::protobuf::Descriptor& type) {
  const auto [channel, added] = channels_.try_emplace(topic, 0);
  if (!added) return channel->second;
  auto schema = schemas_.find(&type);
  if (schema == schemas_.end()) {
    schema = schemas_.emplace(&type, writer_->add_schema(type.full_name(), "protobuf", schema_of(type))).first;
  }
  channel->second = writer_->add_channel(topic, schema->second, kMessageEncoding);
  return channel->second;
}

Result<void> RecordingFile::add(std::uint16_t channel, std::uint64_t sequence, std::int64_t published_ns, WallTime now,
                                std::string_view data, std::string_view rest) {
  // Chunks are found by these times, so they never decrease, although the wall clock may be set back.
  last_log_time_ = std::max(last_log_time_, static_cast<std::uint64_t>(now.time_since_epoch().count()));
  return writer_->add_message({.channel_id = channel,
                               .sequence = static_cast<std::uint32_t>(sequence),
                               .log_time_ns = last_log_time_,
                               .publish_time_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, published_ns)),
                               .data = data},
                              rest);
}

Result<void> RecordingFile::add(const RecordedFact& fact, WallTime now) {
  const auto& header = fact.header;
  const std::uint16_t id = channel(bus::topic_of(*fact.type)->name(), *fact.type);
  RETURN_IF_ERROR(add(id, header.sequence(), header.wall_ns(), now, fact.payload));
  ++facts_;
  for (const ViewerMessage& shown : viewer_.of(fact)) {
    const std::uint16_t viewer_id = channel(shown.topic, *shown.type);
    RETURN_IF_ERROR(add(viewer_id, header.sequence(), header.wall_ns(), now, shown.data, shown.rest));
  }
  return ok();
}

Result<void> RecordingFile::add(const v1::RecordingGap& gap, WallTime now) {
  count_lost(gap, lost_);
  return add(channel(kGapTopic, *v1::RecordingGap::descriptor()), 0, 0, now, gap.SerializeAsString());
}

Result<void> RecordingFile::attach(const std::string& name, const std::string& media_type, std::string data,
                                   WallTime now) {
  const auto time = static_cast<std::uint64_t>(now.time_since_epoch().count());
  return writer_->add_attachment({time, time, name, media_type, std::move(data)});
}

Result<void> RecordingFile::sync() { return writer_->sync(); }

Result<void> RecordingFile::finish(Values end) {
  end["facts"] = std::to_string(facts_);
  end["lost"] = std::to_string(lost_);
  RETURN_IF_ERROR(writer_->add_metadata({kEndMetadata, std::move(end)}));
  return writer_->finish();
}

}  // namespace da::recording
