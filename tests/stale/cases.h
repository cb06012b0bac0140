// The cases: a tool on a real application, something that happens between Prepare and Execute, and what must follow.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "da/v1/tools.pb.h"
#include "tests/stale/scene.h"

namespace da::stale {

enum class Expected {
  kAct,        // The change does not matter.
  kRefuse,     // STALE_TARGET before anything happens.
  kInterrupt,  // The change comes between two chunks of typing: STALE_TARGET, and only a part was typed.
};

enum class After { kNothing, kRestart };

struct Case {
  const Application* application;
  std::string tool;
  std::string disturbance;
  Expected expected;
  std::function<Result<v1::Action>(Scene&)> action;  // Also aims the scene.
  std::function<Result<void>(Scene&)> before;        // Before Prepare.
  std::function<Result<void>(Scene&)> disturb;
  After after = After::kNothing;  // kRestart: what the case did cannot be undone.
};

// `directory` is the stage's; the first two directories on PATH must be programs_first and programs_second in it.
std::vector<Case> all_cases(const std::filesystem::path& directory);

// One case of each tool, and of each disturbance, and more up to `count`, evenly.
std::vector<Case> selection(const std::vector<Case>& cases, std::size_t count);

}  // namespace da::stale
