// How facts are shown. One thread.
#pragma once

#include "lib/base/clock.h"
#include "lib/bus/subscriber.h"

namespace da::console {

class FactView {
 public:
  virtual ~FactView() = default;
  virtual void show(const bus::Fact& fact, MonoTime now) = 0;
  // Called several times a second.
  virtual void tick(MonoTime now) = 0;
};

}  // namespace da::console
