// Where Windows sends input: the focus of the foreground thread, and the stacking order with the windows' regions.
//
// Windows has no keyboard grabs. A program that hooks the keyboard is not noticed. A layered window passes clicks where
// it is fully transparent, which no function tells. Never waits for an application. Any thread.
#pragma once

#include "services/actuator/desktop/roles/desktop_state.h"

namespace da::actuator::win32 {

class Win32DesktopState final : public DesktopState {
 public:
  Result<KeyReceiver> key_receiver() override;
  Result<bool> still_receives(const KeyReceiver& receiver) override;
  Result<std::vector<ClickArea>> click_areas(std::span<const WindowInfo> listed) override;
  Result<bool> manages_focus() override { return true; }
};

}  // namespace da::actuator::win32
