#include "services/policy/second_factor/second_factor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/os/files/files.h"

namespace da::policy {
namespace {

constexpr std::uint32_t kWrongInARow = 5;
constexpr std::chrono::minutes kFirstStop{1};
constexpr std::chrono::minutes kLongestStop{60};
constexpr std::uint32_t kDoublings = 6;  // 64 minutes: beyond the longest stop, and far from an overflow.
constexpr std::size_t kMaxNameBytes = 100;
constexpr std::string_view kExtension = ".totp";

std::chrono::minutes stop_after(std::uint32_t stops_before) {
  return std::min(kLongestStop, kFirstStop * (1U << std::min(stops_before, kDoublings)));
}

}  // namespace

Result<std::filesystem::path> SecondFactor::file_of(const std::string& person) const {
  const bool plain = std::ranges::all_of(person, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("@._-").find(c) != std::string_view::npos;
  });
  if (person.empty() || person.size() > kMaxNameBytes || person.front() == '.' || !plain) {
    return Error{Code::kInvalidArgument,
                 "\"" + escape_foreign(person, 60) +
                     "\" cannot be a name of a second factor; allowed are ASCII letters, digits and @ . _ -"};
  }
  return directory_ / (person + std::string(kExtension));
}

Result<bool> SecondFactor::enrolled() const {
  ASSIGN_OR_RETURN(const bool any, os::exists(directory_));
  if (!any) return false;
  std::error_code failed;
  std::filesystem::directory_iterator entry(directory_, failed);
  for (const std::filesystem::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    if (entry->path().extension() == kExtension) return true;
  }
  if (failed) return posix_error("read " + directory_.string(), failed.value());
  return false;
}

Result<SecondFactor::State> SecondFactor::load() const {
  State state;
  const auto file = directory_ / "state";
  ASSIGN_OR_RETURN(const bool is_there, os::exists(file));
  if (!is_there) return state;
  ASSIGN_OR_RETURN(const auto text, os::read_private_file(file));
  const nlohmann::json stored = nlohmann::json::parse(text, nullptr, false);
  try {
    for (const auto& [person, step] : stored.at("last_step").items())
      state.last_step[person] = step.get<std::uint64_t>();
    // An earlier version wrote no attempts.
    const nlohmann::json attempts = stored.value("attempts", nlohmann::json::object());
    for (const auto& [person, counted] : attempts.items()) {
      state.attempts[person] = {counted.at("wrong").get<std::uint32_t>(), counted.at("stops").get<std::uint32_t>(),
                                WallTime(Nanoseconds(counted.at("stopped_until_ns").get<std::int64_t>()))};
    }
  } catch (const nlohmann::json::exception&) {
    return Error{Code::kDataLoss, file.string() + " is damaged, so no code is accepted; remove it to start again"};
  }
  return state;
}

Result<void> SecondFactor::save(const State& state) const {
  nlohmann::json attempts = nlohmann::json::object();
  for (const auto& [person, counted] : state.attempts) {
    attempts[person] = {{"wrong", counted.wrong},
                        {"stops", counted.stops},
                        {"stopped_until_ns", counted.stopped_until.time_since_epoch().count()}};
  }
  const nlohmann::json stored = {{"last_step", state.last_step}, {"attempts", attempts}};
  return os::write_private_file(directory_ / "state", stored.dump());
}

Result<void> SecondFactor::refuse(State& state, const std::string& person, const std::string& why) const {
  std::string more;
  Attempts& attempts = state.attempts[person];
  if (++attempts.wrong >= kWrongInARow) {
    const auto stop = stop_after(attempts.stops++);
    attempts.wrong = 0;
    attempts.stopped_until = clock_.wall_now() + stop;
    more = "; no code of " + escape_foreign(person, 60) + " is accepted for " + std::to_string(stop.count()) + " min";
  }
  RETURN_IF_ERROR(save(state));
  return Error{Code::kPermissionDenied, why + more};
}

Result<void> SecondFactor::check(const std::string& person, const std::string& code) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(const auto file, file_of(person));
  ASSIGN_OR_RETURN(const bool has_secret, os::exists(file));
  if (!has_secret) {
    return Error{Code::kFailedPrecondition,
                 escape_foreign(person, 60) + " has no second factor, and this step needs one: da-console enroll"};
  }
  if (trim(code).empty())
    return Error{Code::kInvalidArgument, "this step needs the code of your authenticator: --code"};
  ASSIGN_OR_RETURN(State state, load());
  const WallTime now = clock_.wall_now();
  if (const auto counted = state.attempts.find(person);
      counted != state.attempts.end() && now < counted->second.stopped_until) {
    return Error{Code::kResourceExhausted, "too many wrong codes of " + escape_foreign(person, 60) +
                                               ": no code is accepted until " +
                                               format_wall(counted->second.stopped_until)};
  }
  ASSIGN_OR_RETURN(const auto text, os::read_private_file(file));
  ASSIGN_OR_RETURN(const auto secret, TotpSecret::from_base32(trim(text)));
  const auto step = secret.step_of(trim(code), now);
  if (!step) return refuse(state, person, "the code is wrong");
  const auto used = state.last_step.find(person);
  if (used != state.last_step.end() && *step <= used->second) return refuse(state, person, "the code was already used");
  state.last_step[person] = *step;
  state.attempts.erase(person);
  return save(state);
}

Result<void> SecondFactor::enroll(const std::string& person, const TotpSecret& secret, bool may_replace) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(const auto file, file_of(person));
  ASSIGN_OR_RETURN(const bool is_enrolled, os::exists(file));
  if (is_enrolled && !may_replace) {
    return Error{Code::kAlreadyExists,
                 escape_foreign(person, 60) + " is already enrolled; --replace revokes the old secret"};
  }
  RETURN_IF_ERROR(os::make_private_directory(directory_));
  // The last step of the old secret does not apply to the new one.
  ASSIGN_OR_RETURN(State state, load());
  if (state.last_step.erase(person) > 0) RETURN_IF_ERROR(save(state));
  return os::write_private_file(file, secret.base32() + "\n");
}

}  // namespace da::policy
