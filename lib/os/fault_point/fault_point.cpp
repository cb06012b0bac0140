// Compiled only in the `faults` preset.
#include "lib/os/fault_point/fault_point.h"

#include <atomic>
#include <cstdlib>
#include <string>

namespace da {
namespace {

struct FaultPoint {
  std::string name;
  long pass = 1;
};

FaultPoint read_fault_point() {
  const char* variable = std::getenv("DA_FAULT_POINT");
  if (variable == nullptr) return {};
  const std::string text = variable;
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {text, 1};
  return {text.substr(0, colon), std::strtol(text.c_str() + colon + 1, nullptr, 10)};
}

}  // namespace

void pass_fault_point(const char* name) {
  static const FaultPoint chosen = read_fault_point();
  static std::atomic<long> passes{0};
  if (chosen.name == name && ++passes == chosen.pass) kill_this_process();
}

}  // namespace da
