// The project's only clock. Expiry, deadlines and message headers take a Clock, so that tests and replay control time.
// SystemClock and ManualClock may be used from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace da {

using Nanoseconds = std::chrono::nanoseconds;
using Milliseconds = std::chrono::milliseconds;

// Time of a host's monotonic clock. Values of two hosts cannot be compared.
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, Nanoseconds>;
// Nanoseconds since the Unix epoch, UTC.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual MonoTime now() const = 0;
  virtual WallTime wall_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  MonoTime now() const override;
  WallTime wall_now() const override;
};

// Time advances only by advance().
class ManualClock final : public Clock {
 public:
  MonoTime now() const override { return MonoTime(Nanoseconds(mono_ns_.load())); }
  WallTime wall_now() const override { return WallTime(Nanoseconds(wall_ns_.load())); }
  void advance(Nanoseconds by) {
    mono_ns_ += by.count();
    wall_ns_ += by.count();
  }

 private:
  std::atomic<std::int64_t> mono_ns_{1'000'000'000};
  std::atomic<std::int64_t> wall_ns_{1'700'000'000'000'000'000};
};

const Clock& system_clock();

// Minutes since local midnight, by the TZ environment variable or the system's time zone.
std::uint32_t local_minute_of_day(WallTime time);
// The local date: "2026-11-21".
std::string local_day(WallTime time);

// "2026-11-21T09:30:05.123Z"
std::string format_wall(WallTime time);

}  // namespace da
