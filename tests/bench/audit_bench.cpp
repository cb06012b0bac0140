// Measures the audit log. Durable records a second of 1, 8 and 64 concurrent writers, compared with one fdatasync for
// each record and, if installed, SQLite with synchronous=FULL and one transaction for each record, all on the disk of
// the build directory in the same run. And the time for a step's records (verdict, grant, outcome) in memory.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sodium.h>
#ifdef DA_SQLITE
#include <sqlite3.h>
#endif

#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "lib/base/id.h"
#include "lib/os/unique_fd.h"
#include "services/policy/audit/trail.h"

namespace da::bench {
namespace {

using policy::AuditLog;
using policy::AuditRecord;

constexpr Milliseconds kMeasured{1'000};
constexpr int kSteps = 20'000;
// A whole step takes some 700 us.
constexpr double kStepLimitUs = 15;

class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& below) : path_(below / ("da-bench-" + random_hex(4))) {
    std::filesystem::create_directory(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

std::filesystem::path on_disk() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

policy::GrantSigner new_signer() {
  std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0');
  std::string secret_key(crypto_sign_SECRETKEYBYTES, '\0');
  crypto_sign_keypair(reinterpret_cast<unsigned char*>(public_key.data()),
                      reinterpret_cast<unsigned char*>(secret_key.data()));
  return *policy::GrantSigner::from_hex(to_hex(secret_key), "key");
}

std::unique_ptr<AuditLog> open_log(const Scratch& scratch) {
  const auto& clock = system_clock();
  return *AuditLog::open({scratch.path() / "audit", scratch.path() / "heads"}, new_signer(),
                         AuditRecord("started", clock.wall_now()), clock);
}

// About as large as a verdict: 500 bytes.
AuditRecord sample() {
  AuditRecord record("verdict", system_clock().wall_now());
  record.text("task", "6f1f2a0e-4f3a-4d53-8d15-9f6f3d9a2b11").text("reason", std::string(200, 'x'));
  return record;
}

// Records a second of `writers` threads, each of which writes one record after the other.
double per_second(int writers, const std::function<void()>& write) {
  std::atomic<std::uint64_t> written{0};
  const auto begun = system_clock().now();
  const auto deadline = begun + kMeasured;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < writers; ++i) {
      threads.emplace_back([&] {
        while (system_clock().now() < deadline) {
          write();
          ++written;
        }
      });
    }
  }
  return static_cast<double>(written) / std::chrono::duration<double>(system_clock().now() - begun).count();
}

double audit_log(int writers) {
  const Scratch scratch(on_disk());
  const auto log = open_log(scratch);
  return per_second(writers, [&] {
    std::vector<AuditRecord> records;
    records.push_back(sample());
    if (!log->write(std::move(records), policy::Reach::kDisk)) std::abort();
  });
}

double sync_each(int writers) {
  const Scratch scratch(on_disk());
  const os::UniqueFd file(::open((scratch.path() / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  std::mutex mutex;
  return per_second(writers, [&] {
    const AuditRecord record = sample();
    const std::lock_guard hold(mutex);
    const auto size = static_cast<ssize_t>(record.members().size());
    if (::write(file.get(), record.members().data(), record.members().size()) != size) std::abort();
    if (::fdatasync(file.get()) != 0) std::abort();
  });
}

#ifdef DA_SQLITE
double sqlite_full(int writers) {
  const Scratch scratch(on_disk());
  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;
  const auto must = [](int result) {
    if (result != SQLITE_OK && result != SQLITE_DONE) std::abort();
  };
  must(sqlite3_open((scratch.path() / "log.db").c_str(), &database));
  for (const char* sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE log (line TEXT)"}) {
    must(sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
  }
  must(sqlite3_prepare_v2(database, "INSERT INTO log VALUES (?)", -1, &insert, nullptr));
  std::mutex mutex;
  const double rate = per_second(writers, [&] {
    const AuditRecord record = sample();
    const std::lock_guard hold(mutex);
    must(sqlite3_bind_text(insert, 1, record.members().c_str(), -1, SQLITE_TRANSIENT));
    must(sqlite3_step(insert));
    must(sqlite3_reset(insert));
  });
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return rate;
}
#endif

void durable(benchmark::State& state, int writers) {
  if (sodium_init() < 0) return state.SkipWithError("libsodium cannot be initialised");
  for (auto _ : state) {
    const double ours = audit_log(writers);
    const double each = sync_each(writers);
    state.counters["ours_per_s"] = ours;
    state.counters["each_per_s"] = each;
    state.counters["times_each"] = ours / each;
#ifdef DA_SQLITE
    const double sqlite = sqlite_full(writers);
    state.counters["sqlite_per_s"] = sqlite;
    state.counters["times_sqlite"] = ours / sqlite;
#endif
  }
}

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

void audit_step(benchmark::State& state) {
  if (sodium_init() < 0) return state.SkipWithError("libsodium cannot be initialised");
  const Scratch scratch("/dev/shm");
  const auto log = open_log(scratch);
  policy::AuditTrail trail(*log);
  v1::Action action;
  action.mutable_write()->set_text("a");
  v1::Evidence evidence;
  evidence.set_challenge("challenge");
  evidence.mutable_foreground()->set_title("Untitled - Notes");
  evidence.mutable_foreground()->set_executable("/usr/bin/notes");
  v1::Verdict verdict;
  verdict.set_step_id(random_uuid());
  verdict.set_decision(v1::Verdict::DECISION_ALLOW);
  verdict.set_rule("ordinary-work");
  verdict.set_reason("ordinary work with applications, while the write lock is open");
  verdict.set_risk(v1::RISK_WRITE);
  verdict.set_tool("write");
  verdict.set_action_text("write text=\"a\"");
  v1::GrantClaims claims;
  claims.set_grant_id(random_uuid());
  claims.set_boot_id(random_uuid());
  claims.set_action_digest(blake2b("action"));
  claims.set_evidence_digest(blake2b("evidence"));
  claims.set_rules_version(to_hex(blake2b("rules")));
  claims.set_approver("policy");
  v1::Outcome outcome;
  outcome.set_step_id(verdict.step_id());
  outcome.set_kind(v1::Outcome::KIND_DISPATCHED);
  outcome.set_grant_id(claims.grant_id());
  const std::string task = random_uuid();
  for (auto _ : state) {
    const double before = cpu_us();
    for (int i = 0; i < kSteps; ++i) {
      if (!trail.verdict(task, verdict, action, evidence, claims.rules_version(), &claims)) std::abort();
      trail.outcome(task, outcome);
    }
    const double us = (cpu_us() - before) / kSteps;
    state.counters["ours_us"] = us;
    state.counters["limit_us"] = kStepLimitUs;
    state.counters["of_limit"] = us / kStepLimitUs;
  }
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(scratch.path() / "audit")) / kSteps;
}

void durable_1(benchmark::State& state) { durable(state, 1); }
void durable_8(benchmark::State& state) { durable(state, 8); }
void durable_64(benchmark::State& state) { durable(state, 64); }
BENCHMARK(durable_1)->Iterations(1);
BENCHMARK(durable_8)->Iterations(1);
BENCHMARK(durable_64)->Iterations(1);
BENCHMARK(audit_step)->Iterations(1);

}  // namespace
}  // namespace da::bench

BENCHMARK_MAIN();
