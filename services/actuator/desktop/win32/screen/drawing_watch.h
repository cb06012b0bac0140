// DrawingWatch by desktop duplication: asks every kBetweenLooks for the generation of the desktop, which costs some
// microseconds while nothing is drawn. kUnavailable or kUnimplemented where and while there is no duplication.
#pragma once

#include <condition_variable>
#include <mutex>

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/win32/screen/duplication/desktop_duplication.h"

namespace da::actuator::win32 {

class Win32DrawingWatch final : public DrawingWatch {
 public:
  static constexpr Milliseconds kBetweenLooks{15};

  Win32DrawingWatch(DesktopDuplication& duplication, const Clock& clock) : duplication_(duplication), clock_(clock) {}

  Result<void> arm() override;
  Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token& stop) override;

 private:
  DesktopDuplication& duplication_;
  const Clock& clock_;
  std::uint64_t generation_ = 0;
};

}  // namespace da::actuator::win32
