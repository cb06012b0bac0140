#include "lib/recording/reading/recovery.h"

#include <charconv>
#include <optional>
#include <set>

#include "lib/recording/embedded_types.h"
#include "lib/recording/fact_sequences.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/mcap/mcap_writer.h"
#include "lib/recording/recording_file.h"
#include "lib/recording/schema.h"

namespace da::recording {
namespace {

constexpr std::size_t kMostDamage = 100;

class Salvage {
 public:
  Salvage(const McapFile& file, McapWriter& writer) : file_(file), writer_(writer) {
    // If the chunk with a definition is damaged, the summary may still have it.
    if (const auto summary = file.summary()) {
      for_each_record(summary->records,
                      [this](McapOp op, std::string_view content) { return definitions_.add(op, content); });
    }
  }

  Result<Recovery> run() {
    RETURN_IF_ERROR(walk(file_, {.record = [this](const McapFile::Record& record,
                                                  const McapFile::Chunk* chunk) { return take(record, chunk); },
                                 .damage = [this](const McapDamage& damage) { return note(damage); }}));
    if (found_.messages == 0) {
      return Error{Code::kDataLoss, file_.path().string() + ": no message can be read, so nothing was recovered"};
    }
    RETURN_IF_ERROR(write_metadata());
    RETURN_IF_ERROR(writer_.finish());
    return found_;
  }

 private:
  Result<void> note(const McapDamage& damage) {
    found_.missing_bytes += damage.size;
    if (found_.damage.size() < kMostDamage) found_.damage.push_back(damage);
    ++damages_;
    return ok();
  }

  Result<void> take(const McapFile::Record& record, const McapFile::Chunk* chunk) {
    if (record.op == McapOp::kDataEnd) data_is_over_ = true;
    if (data_is_over_) return ok();
    if (chunk == nullptr) return take(record.op, record.content);
    Result<void> taken = ok();
    const bool fits = for_each_record(chunk->records, [&](McapOp op, std::string_view content) {
      taken = take(op, content);
      return taken.has_value();
    });
    RETURN_IF_ERROR(taken);
    return fits ? ok() : note({record.offset, 0, file_.damaged("chunk", record.offset).message});
  }

  Result<void> take(McapOp op, std::string_view content) {
    if (McapMessage message; op == McapOp::kMessage && decode(content, message)) return take(message);
    if (McapAttachment attachment; op == McapOp::kAttachment && decode(content, attachment)) {
      ++found_.attachments;
      return writer_.add_attachment(attachment);
    }
    if (McapMetadata metadata; op == McapOp::kMetadata && decode(content, metadata)) {
      if (metadata.name == kAboutMetadata)
        about_ = std::move(metadata.values);
      else if (metadata.name == kEndMetadata)
        end_ = std::move(metadata.values);
      else
        return writer_.add_metadata(metadata);
      return ok();
    }
    definitions_.add(op, content);
    return ok();
  }

  Result<void> take(const McapMessage& message) {
    const McapChannel* channel = definitions_.channel(message.channel_id);
    if (channel == nullptr) {
      ++found_.undefined;
      return ok();
    }
    last_time_ = std::max(last_time_, message.log_time_ns);
    const auto parsed = types_.parse(definitions_, message);
    if (v1::RecordingGap gap;
        channel->topic == kGapTopic && gap.ParseFromArray(message.data.data(), static_cast<int>(message.data.size()))) {
      count_lost(gap, lost_);
      RETURN_IF_ERROR(mark(sequences_.note(gap), channel->topic));
    } else if (const auto header = parsed ? header_of(**parsed) : std::nullopt) {
      ++found_.facts;
      if (!header->task_id().empty() && tasks_.size() < 2) tasks_.insert(header->task_id());
      RETURN_IF_ERROR(mark(sequences_.note(channel->topic, *header), channel->topic));
    }
    McapMessage copy = message;
    copy.channel_id = channel_of(*channel);
    ++found_.messages;
    return writer_.add_message(copy);
  }

  // A hole without damage in between has another reason: the facts belong to another task.
  Result<void> mark(const std::optional<v1::RecordingGap>& hole, const std::string& topic) {
    const std::uint64_t damages_before = std::exchange(damages_before_[topic], damages_);
    if (!hole || damages_before == damages_) return ok();
    count_lost(*hole, found_.lost);
    count_lost(*hole, lost_);
    const std::string data = hole->SerializeAsString();
    return writer_.add_message({.channel_id = gap_channel(), .log_time_ns = last_time_, .data = data});
  }

  std::uint16_t channel_of(const McapChannel& channel) {
    const auto [entry, added] = channels_.try_emplace(channel.id, 0);
    if (!added) return entry->second;
    std::uint16_t schema_id = 0;
    if (const McapSchema* schema = definitions_.schema_of(channel.id)) {
      const auto [known, new_schema] = schemas_.try_emplace(schema->id, 0);
      if (new_schema) known->second = writer_.add_schema(schema->name, schema->encoding, schema->data);
      schema_id = known->second;
    }
    entry->second = writer_.add_channel(channel.topic, schema_id, channel.message_encoding, channel.metadata);
    return entry->second;
  }

  std::uint16_t gap_channel() {
    for (const auto& [id, channel] : definitions_.channels) {
      if (channel.topic == kGapTopic) return channel_of(channel);
    }
    if (!own_gap_channel_) {
      const auto* type = v1::RecordingGap::descriptor();
      const std::uint16_t schema = writer_.add_schema(type->full_name(), kMessageEncoding, schema_of(*type));
      own_gap_channel_ = writer_.add_channel(kGapTopic, schema, kMessageEncoding);
    }
    return *own_gap_channel_;
  }

  Result<void> write_metadata() {
    found_.had_end = end_.has_value();
    if (!about_) {
      about_.emplace();
      if (tasks_.size() == 1) (*about_)["task"] = *tasks_.begin();
    }
    if (end_) note_missing_facts((*end_)["facts"]);
    (*about_)["recovered"] =
        std::to_string(found_.missing_bytes) + " bytes could not be read" +
        (found_.missing_facts == 0 ? "" : ", with " + std::to_string(found_.missing_facts) + " facts");
    if (!end_) end_.emplace().try_emplace("cut", "the recording had no end, and was recovered");
    (*end_)["facts"] = std::to_string(found_.facts);
    (*end_)["lost"] = std::to_string(lost_);
    RETURN_IF_ERROR(writer_.add_metadata({kAboutMetadata, *about_}));
    return writer_.add_metadata({kEndMetadata, *end_});
  }

  void note_missing_facts(const std::string& before) {
    std::uint64_t facts = 0;
    const auto [end, error] = std::from_chars(before.data(), before.data() + before.size(), facts);
    if (error == std::errc() && facts > found_.facts) found_.missing_facts = facts - found_.facts;
  }

  const McapFile& file_;
  McapWriter& writer_;
  Recovery found_;
  McapDefinitions definitions_;
  EmbeddedTypes types_;
  FactSequences sequences_;
  bool data_is_over_ = false;
  std::uint64_t last_time_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t damages_ = 0;
  std::map<std::string, std::uint64_t> damages_before_;  // Value of damages_ at each topic's last fact.
  std::set<std::string> tasks_;
  std::map<std::uint16_t, std::uint16_t> channels_;  // The new id by the old one.
  std::map<std::uint16_t, std::uint16_t> schemas_;
  std::optional<std::uint16_t> own_gap_channel_;
  std::optional<RecordingFile::Values> about_;
  std::optional<RecordingFile::Values> end_;
};

}  // namespace

Result<Recovery> recover(const McapFile& file, const std::filesystem::path& output) {
  ASSIGN_OR_RETURN(const auto writer, McapWriter::create(output));
  auto recovery = Salvage(file, *writer).run();
  std::error_code ignored;
  if (!recovery) std::filesystem::remove(output, ignored);
  return recovery;
}

}  // namespace da::recording
