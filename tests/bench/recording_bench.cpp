// Measures the writing of recordings, on the disk of the build directory. All in one run, in turns:
//   throughput  observations with screenshots of 300 kB, synced after each 60: bytes of facts a second, against the
//   same
//               bytes by write and fdatasync. The recording has each screenshot twice (the fact, and one for viewers),
//               an index, and checksums.
//   messages    small facts: messages a second, against SQLite (WAL, synchronous=FULL) with a transaction for each
// Each time is the least of all rounds.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#ifdef DA_SQLITE
#include <sqlite3.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>

#include "da/v1/observation.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/id.h"
#include "lib/os/files/file_descriptors.h"
#include "lib/recording/recording_file.h"

namespace da::bench {
namespace {

using recording::RecordedFact;
using recording::RecordingFile;

constexpr int kRounds = 7;
constexpr int kObservations = 300;
constexpr int kSyncAfter = 60;
constexpr std::size_t kImageBytes = 300'000;
constexpr int kSmallFacts = 100'000;
constexpr int kSyncAfterSmall = 1'000;
constexpr int kTransactions = 1'000;

class Scratch {
 public:
  Scratch() : path_(std::filesystem::read_symlink("/proc/self/exe").parent_path() / ("da-bench-" + random_hex(4))) {
    std::filesystem::create_directory(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  const std::filesystem::path path_;
};

template <class Message>
RecordedFact as_fact(Message message, std::uint64_t sequence) {
  auto& header = *message.mutable_header();
  header.set_task_id("6f1f2a0e-4f3a-4d53-8d15-9f6f3d9a2b11");
  header.set_writer("observer");
  header.set_instance("0123456789abcdef");
  header.set_sequence(sequence);
  header.set_wall_ns(static_cast<std::int64_t>(sequence) * 16'000'000);
  return {Message::descriptor(), header, message.SerializeAsString()};
}

// Noise, as the inside of a PNG is.
std::string noise(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  std::string text(bytes, '\0');
  for (std::size_t at = 0; at + 8 <= bytes; at += 8) {
    const std::uint64_t number = numbers();
    text.replace(at, 8, reinterpret_cast<const char*>(&number), 8);
  }
  return text;
}

std::vector<RecordedFact> screens() {
  std::vector<RecordedFact> facts;
  for (int number = 1; number <= kObservations; ++number) {
    v1::Observation observation;
    observation.set_image_hash(random_hex(16));
    observation.mutable_coordinates()->set_image_width(1'365);
    for (int node = 0; node < 40; ++node) {
      auto& marked = *observation.add_marked();
      marked.set_element_id(random_uuid());
      marked.set_role("push button");
      marked.set_name("Button " + std::to_string(node));
    }
    v1::ImageFact image;
    image.set_image_hash(observation.image_hash());
    image.set_media_type("image/png");
    image.set_data(noise(kImageBytes, static_cast<std::uint64_t>(number)));
    facts.push_back(as_fact(std::move(observation), static_cast<std::uint64_t>(number)));
    facts.push_back(as_fact(std::move(image), static_cast<std::uint64_t>(number)));
  }
  return facts;
}

std::vector<RecordedFact> verdicts() {
  std::vector<RecordedFact> facts;
  for (int number = 1; number <= kSmallFacts; ++number) {
    v1::Verdict verdict;
    verdict.set_step_id(random_uuid());
    verdict.set_reason("ordinary work with applications, while the write lock is open");
    verdict.set_tool("write");
    facts.push_back(as_fact(std::move(verdict), static_cast<std::uint64_t>(number)));
  }
  return facts;
}

void must(bool succeeded) {
  if (!succeeded) std::abort();
}

double seconds(const std::function<void()>& work) {
  const auto begun = system_clock().now();
  work();
  return std::chrono::duration<double>(system_clock().now() - begun).count();
}

std::uint64_t record(const std::filesystem::path& path, const std::vector<RecordedFact>& facts, int sync_after) {
  auto file = RecordingFile::create(path, {});
  must(file.has_value());
  int since_sync = 0;
  for (const RecordedFact& fact : facts) {
    must((*file)->add(fact, WallTime(Nanoseconds(fact.header.wall_ns()))).has_value());
    if (++since_sync % sync_after == 0) must((*file)->sync().has_value());
  }
  must((*file)->finish({}).has_value());
  return (*file)->bytes_written();
}

void write_bare(const std::filesystem::path& path, const std::vector<RecordedFact>& facts, int sync_after) {
  const auto file = os::open_private_to_append(path);
  must(file.has_value());
  int since_sync = 0;
  for (const RecordedFact& fact : facts) {
    must(os::write_all(file->get(), fact.payload, path).has_value());
    if (++since_sync % sync_after == 0) must(::fdatasync(file->get()) == 0);
  }
  must(::fdatasync(file->get()) == 0);
}

// What else the machine does only adds to a time.
double least(const std::vector<double>& times) { return *std::ranges::min_element(times); }

void throughput(benchmark::State& state) {
  const auto facts = screens();
  std::uint64_t bytes = 0;
  for (const RecordedFact& fact : facts) bytes += fact.payload.size();
  const double megabytes = static_cast<double>(bytes) / 1e6;
  for (auto _ : state) {
    std::vector<double> ours;
    std::vector<double> bare;
    std::uint64_t written = 0;
    for (int round = 0; round < kRounds; ++round) {
      const Scratch scratch;
      bare.push_back(seconds([&] { write_bare(scratch.file("bare"), facts, 2 * kSyncAfter); }));
      ours.push_back(seconds([&] { written = record(scratch.file("ours.mcap"), facts, 2 * kSyncAfter); }));
    }
    state.counters["ours_mb_per_s"] = megabytes / least(ours);
    state.counters["bare_mb_per_s"] = megabytes / least(bare);
    state.counters["of_bare"] = least(bare) / least(ours);
    state.counters["file_of_facts"] = static_cast<double>(written) / static_cast<double>(bytes);
  }
}

#ifdef DA_SQLITE
double sqlite_seconds(const std::filesystem::path& path, const std::vector<RecordedFact>& facts) {
  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;
  const auto check = [](int result) { must(result == SQLITE_OK || result == SQLITE_DONE); };
  check(sqlite3_open(path.c_str(), &database));
  for (const char* sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                          "CREATE TABLE messages (topic TEXT, time INTEGER, data BLOB)"}) {
    check(sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
  }
  check(sqlite3_prepare_v2(database, "INSERT INTO messages VALUES ('policy.verdict', ?, ?)", -1, &insert, nullptr));
  const double took = seconds([&] {
    for (int number = 0; number < kTransactions; ++number) {
      const std::string& payload = facts[static_cast<std::size_t>(number)].payload;
      check(sqlite3_bind_int64(insert, 1, number));
      check(sqlite3_bind_blob(insert, 2, payload.data(), static_cast<int>(payload.size()), SQLITE_STATIC));
      check(sqlite3_step(insert));
      check(sqlite3_reset(insert));
    }
  });
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return took;
}

void messages(benchmark::State& state) {
  const auto facts = verdicts();
  for (auto _ : state) {
    std::vector<double> ours;
    std::vector<double> sqlite;
    for (int round = 0; round < kRounds; ++round) {
      const Scratch scratch;
      sqlite.push_back(sqlite_seconds(scratch.file("messages.db"), facts));
      ours.push_back(seconds([&] { record(scratch.file("ours.mcap"), facts, kSyncAfterSmall); }));
    }
    const double ours_per_s = kSmallFacts / least(ours);
    const double sqlite_per_s = kTransactions / least(sqlite);
    state.counters["ours_per_s"] = ours_per_s;
    state.counters["sqlite_per_s"] = sqlite_per_s;
    state.counters["times_sqlite"] = ours_per_s / sqlite_per_s;
  }
}
BENCHMARK(messages)->Iterations(1);
#endif

BENCHMARK(throughput)->Iterations(1);

}  // namespace
}  // namespace da::bench

BENCHMARK_MAIN();
