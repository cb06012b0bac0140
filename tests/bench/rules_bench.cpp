// Measures the CPU time of a cycle of a rule profile in which nothing holds: p50 and p99 for 100, 1000 and 10,000 rules
// of all kinds of conditions, on 20 regions whose analyses are known. Without the analyses themselves, which the
// observer makes.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/profile/profile_reader.h"

namespace da::bench {
namespace {

using namespace da::planner::rules;
using nlohmann::json;

constexpr int kRegions = 20;
constexpr int kWarmUp = 5;
constexpr int kCycles = 200;

// Conditions that do not hold; the last of an AND decides.
json condition(int number) {
  const json ocr = {{"type", "ocr_contains_text"}, {"text_to_find", {"Absent " + std::to_string(number), "Fehlt"}}};
  const json pixel = {{"type", "pixel_color"}, {"expected_bgr", {9, 9, 9}}, {"relative_x", number % 10}};
  const json mean = {{"type", "average_color_is"}, {"expected_bgr", {100, 100, 100}}};
  switch (number % 5) {
    case 0: return ocr;
    case 1: return pixel;
    case 2: return {{"type", "template_match_found"}, {"template_name", "t"}};
    case 3: return {{"logical_operator", "AND"}, {"sub_conditions", {mean, ocr}}};
    default:
      return {{"logical_operator", "OR"},
              {"sub_conditions", {pixel, {{"type", "dominant_color_matches"}, {"expected_bgr", {9, 99, 9}}}}}};
  }
}

Profile profile(int rules) {
  json document = {{"templates", {{{"name", "t"}, {"filename", "t.png"}}}}};
  for (int i = 0; i < kRegions; ++i) {
    document["regions"].push_back(
        {{"name", "region " + std::to_string(i)}, {"x", 0}, {"y", 0}, {"width", 200}, {"height", 40}});
  }
  for (int i = 0; i < rules; ++i) {
    document["rules"].push_back({{"name", "rule " + std::to_string(i)},
                                 {"region", "region " + std::to_string(i % kRegions)},
                                 {"condition", condition(i / kRegions)},
                                 {"action", {{"type", "click"}, {"target_relation", "center_of_region"}}}});
  }
  return read_profile(document.dump()).profile.value();
}

Analyses analyses() {
  RegionAnalyses region;
  region.area = Rect{0, 0, 200, 40};
  region.average = Bgr{100, 100, 100};
  region.dominant = std::vector<ColourShare>{{{1, 2, 3}, 60}, {{50, 60, 70}, 30}, {{200, 200, 200}, 10}};
  region.ocr = OcrSeen{"File Edit View Search Tools Documents Help 14:32 Ready Line 12, Column 40 INS", 88, {}};
  region.templates.emplace(0, TemplateSeen{Rect{0, 0, 16, 16}, 0.4, false});
  for (int x = 0; x < 10; ++x) region.pixels.emplace(std::pair(x, 0), Bgr{1, 2, 3});
  return {std::vector<RegionAnalyses>(kRegions, region), {}};
}

// CPU time of this process: other load on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void cycle(benchmark::State& state) {
  const Profile rules = profile(static_cast<int>(state.range(0)));
  const Engine engine(rules);
  const Analyses known = analyses();
  const RunState run(rules.rules.size());
  std::vector<double> us;
  int round = 0;
  for (auto _ : state) {
    const double begun = cpu_seconds();
    const Cycle done = engine.evaluate(known, {}, run, MonoTime());
    const double taken = (cpu_seconds() - begun) * 1e6;
    if (!done.decisions.empty() || !done.questions.empty() || !done.errors.empty()) {
      return state.SkipWithError("a rule holds, or is not decided");
    }
    state.SetIterationTime(taken / 1e6);
    if (++round > kWarmUp) us.push_back(taken);
  }
  std::ranges::sort(us);
  state.counters["p50_us"] = us[us.size() / 2];
  state.counters["p99_us"] = us[us.size() * 99 / 100];
}
BENCHMARK(cycle)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->UseManualTime()
    ->Iterations(kWarmUp + kCycles)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace da::bench

BENCHMARK_MAIN();
