// What planners have written into programs in this run, as far as it is the beginning of a secret's value. They may
// read it again as it is: if a secret were replaced in it, they would learn that their guess was right. Not
// thread-safe: the desktop's lock guards it.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "services/actuator/privacy/secrets.h"

namespace da::actuator {

class WrittenText {
 public:
  // Call it before the action is carried out, because a part of it may reach the program. A text that is typed counts
  // as a continuation of the text that was typed before.
  void add(const v1::Action& action, const Secrets& secrets);

  const KnownBeginnings& known() const { return known_; }

 private:
  std::string typed_;  // The end of all typed text.
  KnownBeginnings known_;
};

}  // namespace da::actuator
