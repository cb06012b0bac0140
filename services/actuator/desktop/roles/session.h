// Whether input reaches the applications of the session. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <optional>
#include <string>

#include "lib/base/result.h"

namespace da::actuator {

struct SessionObstacle {
  enum class Kind {
    kLocked,         // A screen locker or a screen saver.
    kSecureDesktop,  // The system shows a desktop of its own, which no program can use: a UAC prompt, for example.
    kDisconnected    // The remote connection to the session is closed.
  };
  Kind kind;
  std::string reason;
};

class Session {
 public:
  virtual ~Session() = default;
  // What keeps input from the session's applications; nullopt when nothing does. Cheap: it is called between chunks of
  // input.
  virtual Result<std::optional<SessionObstacle>> obstacle() = 0;
};

}  // namespace da::actuator
