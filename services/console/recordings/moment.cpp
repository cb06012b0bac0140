#include "services/console/recordings/moment.h"

#include <charconv>
#include <ctime>
#include <optional>
#include <string>

#include "lib/base/text.h"
#include "services/console/duration.h"

namespace da::console {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

std::optional<std::uint64_t> parse_utc(const std::string& text) {
  std::tm utc{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (end == nullptr) return std::nullopt;
  const std::time_t seconds = ::timegm(&utc);
  double fraction = 0;
  if (*end == '.') {
    const auto [after, error] = std::from_chars(end, text.c_str() + text.size(), fraction);
    if (error != std::errc()) return std::nullopt;
    end = after;
  }
  if (std::string_view(end) != "Z" || seconds < 0) return std::nullopt;
  return static_cast<std::uint64_t>(seconds) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(fraction * static_cast<double>(kNanosecondsPerSecond));
}

}  // namespace

Result<std::uint64_t> parse_moment(std::string_view text, std::uint64_t start_ns) {
  if (text.starts_with('+')) {
    if (text == "+0") return start_ns;
    ASSIGN_OR_RETURN(const Milliseconds after, parse_duration(text.substr(1)));
    return start_ns + static_cast<std::uint64_t>(Nanoseconds(after).count());
  }
  if (const auto utc = parse_utc(std::string(text))) return *utc;
  return Error{Code::kInvalidArgument,
               quote_foreign(text, 40) +
                   " is no time: write UTC as 2026-11-25T02:09:55.123Z, or seconds after the beginning as +2.5"};
}

}  // namespace da::console
