#include "lib/recording/reading/recording_reader.h"

#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/recording/recording_file.h"

namespace da::recording {

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(auto reader, McapReader::open(file));
  std::unique_ptr<RecordingReader> recording(new RecordingReader(std::move(reader), file));
  ASSIGN_OR_RETURN(auto metadata, recording->file_->metadata());
  bool ours = false;
  for (McapMetadata& record : metadata) {
    if (record.name == kAboutMetadata)
      recording->about_ = std::move(record.values);
    else if (record.name == kEndMetadata)
      recording->end_ = std::move(record.values);
    else
      continue;
    ours = true;
  }
  if (!ours) {
    return Error{Code::kInvalidArgument, file.string() + " is an MCAP file, but no recording of DesktopAssist"};
  }
  return recording;
}

std::string RecordingReader::value(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

Result<void> RecordingReader::facts(const McapRange& range, const Take& take) const {
  return file_->read(range, [&](const McapMessage& read) -> Result<void> {
    const auto channel = file_->channels().find(read.channel_id);
    const auto* type = channel == file_->channels().end() ? nullptr : bus::fact_of(channel->second.topic);
    if (type == nullptr) return ok();
    Fact fact{.topic = channel->second.topic,
              .received = WallTime(Nanoseconds(static_cast<std::int64_t>(read.log_time_ns))),
              .payload = read.data};
    fact.message.reset(google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
    if (!fact.message->ParseFromArray(read.data.data(), static_cast<int>(read.data.size()))) {
      return Error{Code::kDataLoss, path_.string() + ": a message of " + fact.topic + " is no " + type->full_name()};
    }
    const auto* field = type->FindFieldByNumber(1);
    fact.header = static_cast<const v1::Header&>(fact.message->GetReflection()->GetMessage(*fact.message, field));
    return take(fact);
  });
}

Result<std::vector<v1::RecordingGap>> RecordingReader::gaps() const {
  std::vector<v1::RecordingGap> gaps;
  RETURN_IF_ERROR(file_->read({.topics = {kGapTopic}}, [&](const McapMessage& read) -> Result<void> {
    if (!gaps.emplace_back().ParseFromArray(read.data.data(), static_cast<int>(read.data.size()))) {
      return Error{Code::kDataLoss, path_.string() + ": a mark of lost facts cannot be read"};
    }
    return ok();
  }));
  return gaps;
}

}  // namespace da::recording
