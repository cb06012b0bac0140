#include <iostream>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/recording/embedded_types.h"
#include "lib/recording/mcap/mcap_reader.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/message_json.h"
#include "services/console/recordings/moment.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using recording::McapMessage;
using recording::McapRange;
using recording::McapReader;

Result<McapRange> range_of(const CatOptions& options, const McapReader& reader) {
  McapRange range;
  const std::uint64_t start = reader.statistics().start_ns;
  if (!options.from.empty()) {
    ASSIGN_OR_RETURN(range.from_ns, parse_moment(options.from, start));
  }
  if (!options.to.empty()) {
    ASSIGN_OR_RETURN(range.to_ns, parse_moment(options.to, start));
  }
  std::vector<std::string> known;
  for (const auto& [id, channel] : reader.channels()) known.push_back(channel.topic);
  for (const std::string& topic : options.topics) {
    if (std::ranges::find(known, topic) == known.end()) {
      return Error{Code::kNotFound, "the recording has no topic " + quote_foreign(topic, 60) +
                                        did_you_mean(topic, known) + "; `da-console recording info` lists them"};
    }
    range.topics.insert(topic);
  }
  return range;
}

}  // namespace

int cat_recording(const CatOptions& options) {
  ASSIGN_OR_REPORT(const auto path, find_recording(options.file));
  ASSIGN_OR_REPORT(const auto reader, McapReader::open(path));
  ASSIGN_OR_REPORT(const auto range, range_of(options, *reader));
  recording::EmbeddedTypes types;
  const auto read = reader->read(range, [&](const McapMessage& message) -> Result<void> {
    const recording::McapChannel& channel = *reader->definitions().channel(message.channel_id);
    const auto parsed = types.parse(reader->definitions(), message);
    nlohmann::ordered_json line;
    if (!parsed) {
      line = foreign_line_to_json(channel, message, parsed.error().message);
    } else {
      const auto header = recording::header_of(**parsed);
      if (!options.task_id.empty() && (!header || header->task_id() != options.task_id)) return ok();
      line = line_to_json(channel.topic, message.log_time_ns, **parsed, options.bytes);
    }
    std::cout << ordered_json_line(line) << "\n";
    // Ends at `| head`.
    return std::cout ? ok() : Result<void>(Error{Code::kCancelled, "stdout is closed"});
  });
  if (!read && std::cout) return report(read.error());
  if (!reader->problem().empty()) {
    std::cout << std::flush;
    std::cerr << "da-console: " << escape_foreign(reader->problem()) << "\n";
  }
  // The end of a recording that is cut, or still being written, is not there to be read.
  return reader->state() == recording::McapState::kDamaged ? kTaskFailed : kDone;
}

}  // namespace da::console
