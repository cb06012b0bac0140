// Observations of a fake desktop.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "da/v1/history.pb.h"
#include "lib/base/id.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/elements/ui_digest.h"
#include "services/observer/frames/wire.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {

class ObservationSourceTest : public testing::Test {
 protected:
  v1::ObserveRequest request(v1::ImageWish image = v1::IMAGE_WISH_UNSPECIFIED, bool settle = false) {
    v1::ObserveRequest out;
    out.set_task_id("t1");
    out.set_image(image);
    out.set_settle(settle);
    out.set_max_wait_ms(2'000);
    out.set_cause("c1");
    return out;
  }

  ManualClock clock_;
  FakeSource source_{{-100, -50, 640, 480}, clock_};
  FrameCache frames_{source_};
  ObservationSource observations_{frames_};
};

}  // namespace da::observer
