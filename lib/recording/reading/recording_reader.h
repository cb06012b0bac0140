// Reads the facts of a recording (docs/RECORDING.md), complete or not. const methods: any thread.
//
//   ASSIGN_OR_RETURN(const auto recording, RecordingReader::open(file));
//   RETURN_IF_ERROR(recording->facts({}, [](const RecordingReader::Fact& fact) { ...; return ok(); }));
#pragma once

#include <google/protobuf/message.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "da/v1/header.pb.h"
#include "da/v1/recording.pb.h"
#include "lib/base/clock.h"
#include "lib/recording/mcap/mcap_reader.h"

namespace da::recording {

class RecordingReader {
 public:
  using Values = std::map<std::string, std::string>;

  struct Fact {
    std::string topic;
    WallTime received;
    std::string_view payload;  // Bytes as they were sent; valid during the callback.
    std::unique_ptr<google::protobuf::Message> message;
    v1::Header header;

    // The message if it has this type, else nullptr.
    template <class T>
    const T* as() const {
      return message->GetDescriptor() == T::descriptor() ? static_cast<const T*>(message.get()) : nullptr;
    }
  };

  // kDataLoss: not an MCAP file. kInvalidArgument: an MCAP file of another program.
  static Result<std::unique_ptr<RecordingReader>> open(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  const McapReader& file() const { return *file_; }
  // "task", "goal", "opened_by", "planner", "desktop", "version", "format"; of a recording without a task only the
  // last.
  const Values& about() const { return about_; }
  // "result", "summary", "steps", "seconds", "facts", "lost"; "cut": why it ended before the task did. Empty if the
  // recording was not completed.
  const Values& end() const { return end_; }
  // A value; empty if there is none.
  static std::string value(const Values& values, const std::string& name);

  // Passes the facts in the order of their arrival. Stops at the first error of `take`. kDataLoss at damage, after all
  // facts before it. A message that its type cannot parse is an error, too.
  using Take = std::function<Result<void>(const Fact& fact)>;
  Result<void> facts(const McapRange& range, const Take& take) const;
  Result<std::vector<v1::RecordingGap>> gaps() const;

 private:
  RecordingReader(std::unique_ptr<McapReader> file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}

  const std::unique_ptr<McapReader> file_;
  const std::filesystem::path path_;
  Values about_;
  Values end_;
};

}  // namespace da::recording
