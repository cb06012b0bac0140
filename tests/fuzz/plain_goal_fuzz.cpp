// A typed plain goal must be parsed completely, or refused with an error.
#include <cstdint>
#include <string_view>

#include "services/planner/plain/language/goal_parser.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using da::fuzz::require;
  const auto goal = da::planner::plain::parse_goal({reinterpret_cast<const char*>(data), size});
  if (!goal) {
    require(!goal.error().message.empty(), "a refusal says why");
    return 0;
  }
  require(!goal->empty(), "a goal has a sentence");
  for (const auto& sentence : *goal) {
    require(sentence.line >= 1 && sentence.column >= 1, "a sentence knows its place");
    require(!sentence.source.empty(), "a sentence knows its words");
  }
  return 0;
}
