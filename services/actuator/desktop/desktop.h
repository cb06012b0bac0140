// The operations of a desktop, split into small platform-independent roles (roles/). Each back end (x11/, win32/,
// fake/) implements them with its own mechanism; the executor uses only these roles.
//
// Coordinates are pixels of the virtual desktop, whose origin may be negative. Text is UTF-8; text from the screen is
// untrusted. One thread at a time calls a role (the executor's lock), except where noted.
// Errors: kNotFound (window or element gone), kUnavailable (desktop gone), kFailedPrecondition (not possible now),
// kUnimplemented (never possible on this desktop), kCancelled (the checkpoint stopped it), kPermissionDenied (input
// would reach the program that locks the session).
#pragma once

#include <string_view>

#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/roles/clipboard.h"
#include "services/actuator/desktop/roles/desktop_state.h"
#include "services/actuator/desktop/roles/files.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/roles/overlay.h"
#include "services/actuator/desktop/roles/person_watch.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/roles/session.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

class Desktop {
 public:
  virtual ~Desktop() = default;
  virtual std::string_view id() const = 0;  // Such as "x11:0" or "fake:1".
  virtual Screen& screen() = 0;
  virtual Input& input() = 0;
  virtual Windows& windows() = 0;
  virtual Applications& applications() = 0;
  virtual UiTree& ui_tree() = 0;
  virtual Clipboard& clipboard() = 0;
  virtual PersonWatch& person_watch() = 0;
  virtual Session& session() = 0;
  virtual DesktopState& state() = 0;
  virtual Files& files() = 0;
  virtual Overlay& overlay() = 0;
};

}  // namespace da::actuator
