#include <iostream>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/recording/embedded_types.h"
#include "lib/recording/mcap/mcap_reader.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/message_fields.h"
#include "services/console/recordings/message_json.h"
#include "services/console/recordings/new_files.h"
#include "services/console/recordings/step_causes.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using google::protobuf::Message;
using recording::McapAttachment;
using recording::McapMessage;
using recording::McapReader;

// Recognizes images by their first bytes. Empty: no image.
std::string image_extension(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return ".png";
  if (bytes.starts_with("\xff\xd8\xff")) return ".jpg";
  return {};
}

Result<void> write_and_print(NewFiles& files, const std::string& name, std::string_view content) {
  ASSIGN_OR_RETURN(const auto path, files.write(name, content));
  std::cout << path.string() << "\n";
  return ok();
}

// Writes each image once, although several messages hold it.
class ImageFiles {
 public:
  explicit ImageFiles(NewFiles& files) : files_(files) {}

  Result<void> write_those_of(const Message& message, std::uint64_t log_time_ns) {
    Result<void> written = ok();
    for_each_bytes(message, [&](const std::string& bytes) {
      const std::string extension = image_extension(bytes);
      if (extension.empty() || !written) return;
      const std::string hash = to_hex(blake2b(bytes, 16));
      if (!seen_.insert(hash).second) return;
      written = write_and_print(files_, name_of(log_time_ns, hash) + extension, bytes);
    });
    return written;
  }

 private:
  // "20261125T020955.123Z-d7d8d8e2"
  static std::string name_of(std::uint64_t log_time_ns, const std::string& hash) {
    constexpr std::size_t kHashCharacters = 8;
    std::string time = time_text(log_time_ns);
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    return time + "-" + hash.substr(0, kHashCharacters);
  }

  NewFiles& files_;
  std::set<std::string> seen_;
};

// Passes the messages that can be parsed.
using TakeParsed = std::function<Result<void>(const McapMessage& read, const Message& message)>;
Result<void> for_each_message(const McapReader& reader, const TakeParsed& take) {
  recording::EmbeddedTypes types;
  return reader.read({}, [&](const McapMessage& read) -> Result<void> {
    const auto message = types.parse(reader.definitions(), read);
    return message ? take(read, **message) : ok();
  });
}

Result<void> extract_all(const McapReader& reader, NewFiles& files) {
  ImageFiles images(files);
  RETURN_IF_ERROR(for_each_message(reader, [&](const McapMessage& read, const Message& message) {
    return images.write_those_of(message, read.log_time_ns);
  }));
  return reader.read_attachments(
      [&](const McapAttachment& attachment) { return write_and_print(files, attachment.name, attachment.data); });
}

Result<std::set<std::size_t>> select_step(const McapReader& reader, const std::string& step_id) {
  StepCauses causes;
  RETURN_IF_ERROR(for_each_message(reader, [&](const McapMessage&, const Message& message) {
    causes.note(message);
    return ok();
  }));
  auto selected = causes.select(step_id);
  if (!selected.empty()) return selected;
  constexpr std::size_t kShown = 10;
  auto steps = causes.steps();
  steps.resize(std::min(steps.size(), kShown));
  for (std::string& step : steps) step = escape_foreign(step, 60);
  return Error{Code::kNotFound, "the recording has no step " + quote_foreign(step_id, 60) +
                                    (steps.empty() ? "; it has no steps" : "; its first steps: " + join(steps, ", "))};
}

// Prints the lines if there is no directory, else writes them and the images as files.
Result<void> extract_step(const McapReader& reader, const std::string& step_id, NewFiles* files) {
  ASSIGN_OR_RETURN(const auto selected, select_step(reader, step_id));
  std::optional<ImageFiles> images;
  if (files != nullptr) images.emplace(*files);
  std::string lines;
  std::size_t number = 0;
  RETURN_IF_ERROR(for_each_message(reader, [&](const McapMessage& read, const Message& message) -> Result<void> {
    if (!selected.contains(number++)) return ok();
    const std::string& topic = reader.definitions().channel(read.channel_id)->topic;
    const std::string line = ordered_json_line(line_to_json(topic, read.log_time_ns, message, Bytes::kHash)) + "\n";
    if (!images) {
      std::cout << line;
      return ok();
    }
    lines += line;
    return images->write_those_of(message, read.log_time_ns);
  }));
  return files == nullptr ? ok() : write_and_print(*files, "step-" + step_id + ".jsonl", lines);
}

Result<void> extract(const McapReader& reader, const ExtractOptions& options) {
  if (options.directory.empty()) return extract_step(reader, options.step_id, nullptr);
  ASSIGN_OR_RETURN(auto files, NewFiles::open(options.directory));
  return options.step_id.empty() ? extract_all(reader, files) : extract_step(reader, options.step_id, &files);
}

}  // namespace

int extract_recording(const ExtractOptions& options) {
  if (options.directory.empty() && options.step_id.empty()) {
    return report({Code::kInvalidArgument, "give a directory with -o DIR, or a step with --step ID"});
  }
  ASSIGN_OR_REPORT(const auto path, find_recording(options.file));
  ASSIGN_OR_REPORT(const auto reader, McapReader::open(path));
  if (const auto extracted = extract(*reader, options); !extracted) return report(extracted.error());
  if (!reader->problem().empty()) {
    std::cout << std::flush;
    std::cerr << "da-console: " << escape_foreign(reader->problem()) << "\n";
  }
  // The end of a recording that is cut, or still being written, is not there to be read.
  return reader->state() == recording::McapState::kDamaged ? kTaskFailed : kDone;
}

}  // namespace da::console
