// What a step is judged with besides its own evidence: whose task it is, where and when, and what came before it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "services/policy/time_of_day.h"
#include "services/policy/typing_history.h"

namespace da::policy {

enum class WriteLockView { kClosed, kOpen };

struct Circumstances {
  WriteLockView write_lock = WriteLockView::kClosed;
  std::string desktop_id;
  std::string planner;                  // Whom the task's token is for.
  MinuteOfDay minute = 0;               // Local time of the policy's host.
  std::set<std::string> allowed_tools;  // Of the task; empty: all.
  std::map<std::string, std::uint32_t>
      repeats;  // By rule: earlier steps within its time that met its other conditions.
  EarlierTyping earlier;
};

}  // namespace da::policy
