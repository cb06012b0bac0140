// Writes a small recording for tests: chunks of facts on two topics, an attachment, and metadata.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "lib/recording/recording_file.h"
#include "tests/temp_dir.h"

namespace da::recording {

inline constexpr int kFixtureChunks = 6;
inline constexpr int kFactsInAChunk = 10;  // Number for each topic.

class RecordingFixture : public testing::Test {
 protected:
  template <class Fact>
  static RecordedFact fact(std::uint64_t sequence, const std::string& writer, Fact content = {}) {
    v1::Header& header = *content.mutable_header();
    header.set_writer(writer);
    header.set_instance("boot1");
    header.set_sequence(sequence);
    header.set_wall_ns(static_cast<std::int64_t>(sequence));
    header.set_task_id("task-1");
    return {Fact::descriptor(), header, content.SerializeAsString()};
  }
  static WallTime at(std::int64_t ns) { return WallTime(Nanoseconds(ns)); }

  // `skip`: the number of a fact that is left out. `about`: with a task, holes are not faults.
  void write(std::optional<std::uint64_t> skip = std::nullopt, RecordingFile::Values about = {}) {
    auto created = RecordingFile::create(file_, std::move(about));
    ASSERT_TRUE(created) << created.error().message;
    RecordingFile& file = **created;
    ASSERT_TRUE(file.attach("rules.toml", "application/toml", "the rules", at(1)));
    std::uint64_t sequence = 0;
    for (int chunk = 0; chunk < kFixtureChunks; ++chunk) {
      for (int i = 0; i < kFactsInAChunk; ++i) {
        if (++sequence == skip) continue;
        v1::Outcome outcome;
        outcome.set_message("outcome " + std::to_string(sequence));
        const auto time = at(static_cast<std::int64_t>(sequence) * 10);
        ASSERT_TRUE(file.add(fact(sequence, "actuator", outcome), time));
        ASSERT_TRUE(file.add(fact<v1::TaskStateChanged>(sequence, "planner"), time));
      }
      starts_.push_back(ends_.empty() ? 0 : ends_.back());
      ASSERT_TRUE(file.sync());
      ends_.push_back(file.bytes_written());
    }
    ASSERT_TRUE(file.finish({{"result", "TASK_END_DONE"}}));
  }

  static std::string bytes_of(const std::filesystem::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    return all.str();
  }
  void replace(const std::string& content) const { std::ofstream(file_, std::ios::binary) << content; }
  void flip(std::size_t at) const {
    std::string bytes = bytes_of(file_);
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    replace(bytes);
  }

  const da::test::TempDir dir_;
  const std::filesystem::path file_ = dir_.path() / "run.mcap";
  const std::filesystem::path recovered_ = dir_.path() / "recovered.mcap";
  std::vector<std::uint64_t> starts_;  // File offsets of the chunks; the first is unknown.
  std::vector<std::uint64_t> ends_;    // File offsets of the chunks' ends, after their indexes.
};

}  // namespace da::recording
