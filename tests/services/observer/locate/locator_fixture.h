// Searches among the elements of a fake desktop, and in what can be read of its picture.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "services/observer/locate/locator.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {

class LocatorTest : public testing::Test {
 protected:
  Result<v1::LocateReply> locate(const std::string& target, v1::Actionable actionable, std::uint32_t max_wait_ms,
                                 bool use_ocr = false) {
    v1::LocateRequest request;
    request.set_task_id("t1");
    request.set_target(target);
    request.set_actionable(actionable);
    request.set_max_wait_ms(max_wait_ms);
    request.set_use_ocr(use_ocr);
    return locator_.locate(request, cancel_.get_token());
  }

  ManualClock clock_;
  FakeSource source_{{-100, 0, 640, 480}, clock_};
  FrameCache frames_{source_};
  std::stop_source stop_;
  std::stop_source cancel_;
  std::vector<Rect> reads_;
  std::vector<OcrLine> written_;
  Locator locator_{
      frames_,
      [this](const frames::PixelView&, const Rect& area, std::span<const Rect>) -> Result<std::vector<OcrLine>> {
        reads_.push_back(area);
        return written_;
      },
      stop_.get_token(), clock_};
};

}  // namespace da::observer
