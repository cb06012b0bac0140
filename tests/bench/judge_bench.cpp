// Measures judge(): p50 and p99 for rule files of 10, 100 and 1000 rules, and for growing text. The rules resemble the
// shipped file: most name tools and patterns, and few match. The limit is one RE2 search for each checked pattern.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/contract/json/parse.h"
#include "lib/os/files/files.h"
#include "lib/recording/recording_file.h"
#include "services/policy/judgement/judge.h"
#include "services/policy/rejudging/rejudging.h"
#include "tests/temp_dir.h"

namespace da::bench {
namespace {

using namespace da::policy;

constexpr int kWarmUp = 50;
constexpr int kJudgements = 2'000;

// Three kinds of rules in turn, each with its own patterns.
std::string rule_file(std::size_t count) {
  std::string toml =
      "[[rule]]\nname = \"work\"\nverdict = \"allow\"\nreason = \"work\"\nmatch.tool = [\"paste\", \"mouse\"]\n";
  for (std::size_t i = 1; i < count; ++i) {
    const std::string number = std::to_string(i);
    toml += "[[rule]]\nname = \"rule-" + number + "\"\nverdict = \"" + (i % 3 == 0 ? "deny" : "ask") +
            "\"\nreason = \"because\"\n";
    if (i % 3 == 0)
      toml += "match.tool = [\"write\", \"paste\"]\nmatch.text = ['\\brm\\s+-[a-z]*" + number + "', 'mkfs" + number +
              "']\n";
    if (i % 3 == 1) toml += "match.element = '(^|\\PL)(delete|send|pay)" + number + "(\\PL|$)'\n";
    if (i % 3 == 2)
      toml +=
          "match.tool = [\"paste\", \"mouse\"]\nmatch.process = ['^term" + number + "$', '^shell" + number + "$']\n";
  }
  return toml;
}

v1::Evidence evidence() {
  v1::Evidence evidence;
  evidence.mutable_foreground()->set_title("notes.txt - Mousepad");
  evidence.mutable_foreground()->set_executable("/usr/bin/mousepad");
  evidence.mutable_focused_element()->set_name("Document");
  evidence.mutable_focused_element()->set_role("text");
  return evidence;
}

v1::Step writing(std::size_t characters) {
  v1::Step step;
  std::string text;
  while (text.size() < characters) text += "The quick brown fox, jumps & runs. ";
  text.resize(characters);
  step.mutable_action()->mutable_paste()->set_text(text);
  return step;
}

void measure(benchmark::State& state, const Rules& rules, const v1::Step& step) {
  const v1::Evidence found = evidence();
  const Circumstances circumstances{.write_lock = WriteLockView::kOpen};
  std::vector<double> us;
  int round = 0;
  for (auto _ : state) {
    const auto begun = system_clock().now();
    const Judgement judgement = judge(rules, step, &found, circumstances);
    const double taken = std::chrono::duration<double, std::micro>(system_clock().now() - begun).count();
    if (judgement.decision != v1::Verdict::DECISION_ALLOW) return state.SkipWithError("the step is not allowed");
    state.SetIterationTime(taken / 1e6);
    if (++round > kWarmUp) us.push_back(taken);
  }
  std::ranges::sort(us);
  state.counters["p50_us"] = us[us.size() / 2];
  state.counters["p99_us"] = us[us.size() * 99 / 100];
}

void by_rules(benchmark::State& state) {
  const auto rules = Rules::parse(rule_file(static_cast<std::size_t>(state.range(0))), "bench.toml");
  if (!rules) return state.SkipWithError(rules.error().message.c_str());
  measure(state, *rules, writing(40));
}
BENCHMARK(by_rules)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->UseManualTime()
    ->Iterations(kWarmUp + kJudgements)
    ->Unit(benchmark::kMicrosecond);

// Uses the shipped rules.
void by_text(benchmark::State& state) {
  const auto rules = Rules::load(DA_SHIPPED_RULES);
  if (!rules) return state.SkipWithError(rules.error().message.c_str());
  measure(state, *rules, writing(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(by_text)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->UseManualTime()
    ->Iterations(kWarmUp + 300)
    ->Unit(benchmark::kMicrosecond);

template <class Fact>
void add(recording::RecordingFile& file, const char* writer, Fact fact, std::uint64_t sequence) {
  v1::Header& header = *fact.mutable_header();
  header.set_task_id("t1");
  header.set_writer(writer);
  header.set_instance(writer);
  header.set_sequence(sequence);
  header.set_monotonic_ns(static_cast<std::int64_t>(sequence) * 1'000'000);
  const auto added = file.add({Fact::descriptor(), header, fact.SerializeAsString()}, system_clock().wall_now());
  if (!added) std::abort();
}

// A task that types so many times into one field, as policy and actuator publish it.
std::filesystem::path record(const std::filesystem::path& directory, const Rules& rules, int steps) {
  const auto path = directory / "bench.mcap";
  const auto file = recording::RecordingFile::create(path, {{"task", "t1"}}).value();
  std::uint64_t sequence = 0;
  add(*file, "policy", v1::TaskOpened(), ++sequence);
  v1::RuleFile rule_file;
  rule_file.set_version(rules.version());
  rule_file.set_toml(rules.toml());
  add(*file, "policy", rule_file, ++sequence);
  for (int i = 0; i < steps; ++i) {
    v1::StepJudged judged;
    *judged.mutable_step() = writing(40);
    judged.mutable_step()->set_step_id("s" + std::to_string(i));
    *judged.mutable_evidence() = evidence();
    judged.set_rules_version(rules.version());
    judged.set_write_lock_open(true);
    add(*file, "policy", judged, ++sequence);
    v1::Verdict verdict;
    verdict.set_step_id(judged.step().step_id());
    verdict.set_decision(v1::Verdict::DECISION_ALLOW);
    add(*file, "policy", verdict, ++sequence);
    v1::GrantIssued grant;
    grant.mutable_claims()->set_step_id(judged.step().step_id());
    grant.mutable_claims()->set_grant_id("g" + std::to_string(i));
    add(*file, "policy", grant, ++sequence);
    v1::Outcome outcome;
    outcome.set_grant_id(grant.claims().grant_id());
    outcome.set_kind(v1::Outcome::KIND_DISPATCHED);
    add(*file, "actuator", outcome, ++sequence);
  }
  if (!file->finish({})) std::abort();
  return path;
}

// CPU time of this process: other load on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Judges a recording of 10,000 steps again, by the shipped rules and by its own.
void rejudging(benchmark::State& state) {
  const auto rules = Rules::load(DA_SHIPPED_RULES);
  if (!rules) return state.SkipWithError(rules.error().message.c_str());
  constexpr int kSteps = 10'000;
  const da::test::TempDir directory;
  const auto path = record(directory.path(), *rules, kSteps);
  std::vector<double> per_s;
  for (auto _ : state) {
    const double begun = cpu_seconds();
    const auto recording = recording::RecordingReader::open(path).value();
    int steps = 0;
    Rejudging again(*rules, [&](const RejudgedStep&) { ++steps; });
    if (!again.read(*recording) || steps != kSteps) return state.SkipWithError("not all steps were judged");
    per_s.push_back(kSteps / (cpu_seconds() - begun));
  }
  std::ranges::sort(per_s);
  state.counters["steps_per_s"] = per_s[per_s.size() / 2];
}
BENCHMARK(rejudging)->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace da::bench

BENCHMARK_MAIN();
