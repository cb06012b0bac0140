// Measures with real applications how many changes between Prepare and Execute the actuator misses, and how many
// harmless ones it refuses. Uses $DISPLAY: run it under deploy/desktop --size 1280x800.
//   stale_cases [--select N] [--only TEXT]   N cases; those whose application, tool or disturbance contains TEXT
// Exit code 0: no change was missed, and at most 1 % of the harmless ones were refused.
#include <spdlog/spdlog.h>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tests/stale/cases.h"
#include "tests/stale/report.h"
#include "tests/temp_dir.h"

namespace da::stale {
namespace {

// Typing is disturbed before this chunk of input.
constexpr int kDisturbedChunk = 8;

struct Flags {
  std::size_t select = 0;
  std::string only;
};

std::optional<Flags> parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    if (name == "--only") {
      flags.only = value;
    } else if (name != "--select" || std::from_chars(value.data(), value.data() + value.size(), flags.select).ptr !=
                                         value.data() + value.size()) {
      return std::nullopt;
    }
  }
  if (argc % 2 == 0) return std::nullopt;
  return flags;
}

Result<v1::Outcome> outcome_of(const Case& each, SceneSetter& setter, Stage& stage) {
  ASSIGN_OR_RETURN(Scene scene, setter.set(*each.application));
  RETURN_IF_ERROR(each.action(scene));  // Sets the place for each.before.
  RETURN_IF_ERROR(each.before(scene));
  ASSIGN_OR_RETURN(const auto action, each.action(scene));
  ASSIGN_OR_RETURN(const auto evidence, stage.prepare(action));
  if (!evidence.problem().empty()) return Error{Code::kFailedPrecondition, "prepare: " + evidence.problem()};
  const bool during_typing = each.tool == "write, in chunks";
  if (!during_typing) RETURN_IF_ERROR(each.disturb(scene));
  Result<void> disturbed;
  int chunk = 0;
  auto outcome = stage.execute(action, evidence, [&] {
    if (during_typing && ++chunk == kDisturbedChunk) disturbed = each.disturb(scene);
  });
  RETURN_IF_ERROR(disturbed);
  return outcome;
}

int run(const Flags& flags) {
  const test::TempDir directory;
  const auto& path = directory.path();
  ::setenv("PATH",
           ((path / "programs_first").string() + ":" + (path / "programs_second").string() + ":" + std::getenv("PATH"))
               .c_str(),
           1);
  spdlog::set_level(spdlog::level::err);
  auto stage = Stage::open(path);
  if (!stage) {
    std::cerr << stage.error().message << "\n";
    return 2;
  }
  auto cases = all_cases(path);
  std::erase_if(cases, [&](const Case& each) {
    return (each.application->name + " | " + each.tool + " | " + each.disturbance).find(flags.only) ==
           std::string::npos;
  });
  if (flags.select != 0) cases = selection(cases, flags.select);
  Report report(std::cout);
  {
    SceneSetter setter(**stage);
    for (const Case& each : cases) {
      const auto outcome = outcome_of(each, setter, **stage);
      if (each.after == After::kRestart) setter.end_application();
      if (outcome) {
        report.add(each, *outcome);
      } else {
        report.add_broken(each, outcome.error().message);
      }
    }
  }
  if (const auto left = (*stage)->windows()) {
    for (const auto& window : *left) (*stage)->end(window);
  }
  report.show();
  return report.good() ? 0 : 1;
}

}  // namespace
}  // namespace da::stale

int main(int argc, char** argv) {
  const auto flags = da::stale::parse(argc, argv);
  if (!flags) {
    std::cerr << "usage: stale_cases [--select N] [--only TEXT]\n";
    return 2;
  }
  return da::stale::run(*flags);
}
