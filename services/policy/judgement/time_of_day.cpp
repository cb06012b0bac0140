#include "services/policy/judgement/time_of_day.h"

#include <string>

#include "lib/base/text.h"

namespace da::policy {
namespace {

constexpr MinuteOfDay kMinutesOfHour = 60;
constexpr MinuteOfDay kHoursOfDay = 24;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

MinuteOfDay two_digits(char tens, char ones) {
  return static_cast<MinuteOfDay>(tens - '0') * 10 + static_cast<MinuteOfDay>(ones - '0');
}

Error wrong(std::string_view text, std::string_view wanted) {
  return {Code::kInvalidArgument, "\"" + escape_foreign(text, 40) + "\" is not " + std::string(wanted)};
}

}  // namespace

Result<MinuteOfDay> parse_minute(std::string_view text) {
  const bool shaped = text.size() == 5 && text[2] == ':' && is_digit(text[0]) && is_digit(text[1]) &&
                      is_digit(text[3]) && is_digit(text[4]);
  if (!shaped) return wrong(text, "a time of day, such as 09:30");
  const MinuteOfDay hour = two_digits(text[0], text[1]);
  const MinuteOfDay minute = two_digits(text[3], text[4]);
  if (hour >= kHoursOfDay || minute >= kMinutesOfHour) return wrong(text, "between 00:00 and 23:59");
  return hour * kMinutesOfHour + minute;
}

Result<TimeSpan> TimeSpan::parse(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return wrong(text, "a span of the day, such as 22:00-06:00");
  ASSIGN_OR_RETURN(const auto from, parse_minute(text.substr(0, dash)));
  ASSIGN_OR_RETURN(const auto to, parse_minute(text.substr(dash + 1)));
  if (from == to) return wrong(text, "a span: it ends when it begins");
  return TimeSpan{from, to};
}

bool TimeSpan::contains(MinuteOfDay minute) const {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

}  // namespace da::policy
