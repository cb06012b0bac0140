// What differs in a service that runs against a recording: its desktop's id begins with "replay:", its facts say so,
// and its wall clock shows the time of the recording. Any thread.
//
//   desktop = "replay:3f2a91c0"
//   [replay]
//   wall_offset_ms = -86400000     added to the wall clock
#pragma once

#include <memory>
#include <string_view>

#include "da/v1/header.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

inline constexpr std::string_view kReplayDesktop = "replay:";

v1::Header::Origin origin_of(std::string_view desktop_id);

// The system's clock, or for a replay one with another wall time. An error if a live desktop asks for that.
Result<std::shared_ptr<const Clock>> open_clock(const Config& config);

}  // namespace da::service
