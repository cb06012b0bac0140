#include "lib/service/replay.h"

namespace da::service {
namespace {

class ShiftedClock final : public Clock {
 public:
  explicit ShiftedClock(Milliseconds offset) : offset_(offset) {}
  MonoTime now() const override { return system_clock().now(); }
  WallTime wall_now() const override { return system_clock().wall_now() + offset_; }

 private:
  const Milliseconds offset_;
};

}  // namespace

v1::Header::Origin origin_of(std::string_view desktop_id) {
  return desktop_id.starts_with(kReplayDesktop) ? v1::Header::ORIGIN_REPLAY : v1::Header::ORIGIN_LIVE;
}

Result<std::shared_ptr<const Clock>> open_clock(const Config& config) {
  ASSIGN_OR_RETURN(const auto offset, config.find_integer("replay.wall_offset_ms"));
  ASSIGN_OR_RETURN(const std::string desktop_id, config.string("desktop"));
  if (!offset) return std::shared_ptr<const Clock>(std::shared_ptr<const Clock>(), &system_clock());
  if (origin_of(desktop_id) == v1::Header::ORIGIN_REPLAY) return std::make_shared<ShiftedClock>(Milliseconds(*offset));
  return Error{Code::kInvalidArgument, "replay.wall_offset_ms: only for a desktop id that begins with \"replay:\""};
}

}  // namespace da::service
