#include <iomanip>
#include <iostream>
#include <set>

#include "lib/base/text.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using recording::McapAttachment;
using recording::McapReader;
using recording::RecordingSummary;

constexpr const char* kVersions = "versions.txt";
constexpr std::size_t kMaxText = 1000;

struct Topic {
  std::string name;
  std::string type;
  std::uint64_t messages = 0;
};

std::vector<Topic> topics_of(const McapReader& reader) {
  std::vector<Topic> topics;
  for (const auto& [id, channel] : reader.channels()) {
    const auto* schema = reader.definitions().schema_of(id);
    const auto& counts = reader.statistics().messages_by_channel;
    const auto count = counts.find(id);
    topics.push_back({channel.topic, schema == nullptr ? "" : schema->name, count == counts.end() ? 0 : count->second});
  }
  std::ranges::sort(topics, {}, &Topic::name);
  return topics;
}

void print_value(const char* name, const std::string& text) {
  if (!text.empty()) std::cout << std::left << std::setw(13) << name << text << "\n";
}

std::string foreign(const RecordingSummary::Values& values, const std::string& name) {
  const std::string value = value_of(values, name);
  return value.empty() ? "" : quote_foreign(value, kMaxText);
}

std::string result_text(const RecordingSummary& summary) {
  const std::string word = result_word(summary);
  const std::string text = foreign(summary.end, "summary");
  const std::string steps = value_of(summary.end, "steps");
  return word + (text.empty() ? "" : ": " + text) +
         (steps.empty() ? "" : ", " + escape_foreign(steps, 20) + (steps == "1" ? " step" : " steps"));
}

// The attachments without their content.
struct Attachments {
  struct One {
    std::string name;
    std::string media_type;
    std::uint64_t bytes = 0;
  };
  std::vector<One> all;
  std::string versions;  // Versions of the services.
};

std::string versions_text(const McapAttachment& versions) {
  std::set<std::string> lines;
  std::istringstream content(versions.data.substr(0, kMaxText));
  for (std::string line; std::getline(content, line);) lines.insert(escape_foreign(line, 60));
  return join(lines, ", ");
}

Result<Attachments> attachments_of(const McapReader& reader) {
  Attachments attachments;
  RETURN_IF_ERROR(reader.read_attachments([&](const McapAttachment& one) {
    attachments.all.push_back({one.name, one.media_type, one.data.size()});
    if (one.name == kVersions) attachments.versions = versions_text(one);
    return ok();
  }));
  return attachments;
}

void print_about(const RecordingSummary& summary, const Result<Attachments>& attachments) {
  const auto& reader = *summary.reader;
  const auto& statistics = reader.statistics();
  print_value("file", reader.file().path().string());
  print_value("kind", summary.about.contains("task") ? "recording of one task" : "recording of the bus");
  print_value("state", std::string(to_string(summary.state)));
  print_value("problem", escape_foreign(summary.problem));
  print_value("task", escape_foreign(value_of(summary.about, "task")));
  print_value("goal", foreign(summary.about, "goal"));
  print_value("opened by", foreign(summary.about, "opened_by"));
  print_value("planner", foreign(summary.about, "planner"));
  print_value("desktop", foreign(summary.about, "desktop"));
  print_value("result", result_text(summary));
  print_value("cut", foreign(summary.end, "cut"));
  print_value("recovered", foreign(summary.about, "recovered"));
  if (statistics.messages > 0) {
    print_value("time", time_text(statistics.start_ns) + " to " + time_text(statistics.end_ns) + ", " +
                            duration_text(summary.seconds()));
  }
  print_value("size", size_text(reader.file().size()) + " in " + std::to_string(reader.chunks().size()) + " chunks");
  print_value("versions", "DesktopAssist " + escape_foreign(value_of(summary.about, "version"), 40) + ", format " +
                              escape_foreign(value_of(summary.about, "format"), 40));
  if (attachments) print_value("services", attachments->versions);
  print_value("facts", std::to_string(summary.facts) + ", " + std::to_string(summary.lost_facts()) + " lost");
  for (const auto& [topic, lost] : summary.lost) {
    std::cout << "             lost of " << escape_foreign(topic, 60) << ": " << lost << "\n";
  }
}

void print_lists(const RecordingSummary& summary, const Result<Attachments>& attachments) {
  std::cout << "\nmessages  topic\n";
  for (const Topic& topic : topics_of(*summary.reader)) {
    std::cout << std::right << std::setw(8) << topic.messages << "  " << std::left << std::setw(24)
              << escape_foreign(topic.name, 60) << escape_foreign(topic.type, 80) << "\n";
  }
  if (!attachments) {
    std::cout << "\nthe attachments cannot be read: " << escape_foreign(attachments.error().message) << "\n";
  } else if (!attachments->all.empty()) {
    std::cout << "\n   bytes  attachment\n";
    for (const auto& attachment : attachments->all) {
      std::cout << std::right << std::setw(8) << attachment.bytes << "  " << std::left << std::setw(24)
                << escape_foreign(attachment.name, 80) << escape_foreign(attachment.media_type, 60) << "\n";
    }
  }
}

nlohmann::ordered_json to_json(const RecordingSummary& summary, const Result<Attachments>& attachments) {
  nlohmann::ordered_json json = summary_json(summary);
  json["about"] = summary.about;
  json["end"] = summary.end;
  json["chunks"] = summary.reader->chunks().size();
  json["lost_by_topic"] = summary.lost;
  json["topics"] = nlohmann::ordered_json::array();
  for (const Topic& topic : topics_of(*summary.reader)) {
    json["topics"].push_back({{"topic", topic.name}, {"type", topic.type}, {"messages", topic.messages}});
  }
  if (!attachments) {
    json["attachments_problem"] = attachments.error().message;
    return json;
  }
  json["attachments"] = nlohmann::ordered_json::array();
  for (const auto& attachment : attachments->all) {
    json["attachments"].push_back(
        {{"name", attachment.name}, {"media_type", attachment.media_type}, {"bytes", attachment.bytes}});
  }
  return json;
}

}  // namespace

int show_recording(const std::string& given, Format format) {
  ASSIGN_OR_REPORT(const auto file, find_recording(given));
  ASSIGN_OR_REPORT(const auto summary, recording::summarize(file));
  const auto attachments = attachments_of(*summary.reader);
  if (format == Format::kJson) {
    std::cout << ordered_json_line(to_json(summary, attachments)) << "\n";
  } else {
    print_about(summary, attachments);
    print_lists(summary, attachments);
  }
  return kDone;
}

}  // namespace da::console
