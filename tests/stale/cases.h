// The cases: a tool on a real application, a disturbance between Prepare and Execute, and the expected outcome.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "da/v1/tools.pb.h"
#include "tests/stale/scene.h"

namespace da::stale {

enum class Expected {
  kAct,        // The change is harmless.
  kRefuse,     // STALE_TARGET before any input.
  kInterrupt,  // STALE_TARGET between two chunks of typing, after a part of the text.
};

enum class After { kNothing, kRestart };

struct Case {
  const Application* application;
  std::string tool;
  std::string disturbance;
  Expected expected;
  std::function<Result<v1::Action>(Scene&)> action;  // Also calls Scene::aim().
  std::function<Result<void>(Scene&)> before;        // Runs before Prepare.
  std::function<Result<void>(Scene&)> disturb;
  After after = After::kNothing;  // kRestart: the case's effect cannot be undone.
};

// `directory` is the stage's. Its subfolders programs_first and programs_second must be the first two on PATH.
std::vector<Case> all_cases(const std::filesystem::path& directory);

// One case of each tool and of each disturbance, and more, evenly spread, up to `count`.
std::vector<Case> selection(const std::vector<Case>& cases, std::size_t count);

}  // namespace da::stale
