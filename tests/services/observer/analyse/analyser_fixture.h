// An analyser on a fake desktop with a window.
#pragma once

#include <gmock/gmock.h>
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "lib/base/id.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/analyse/analyser.h"
#include "services/observer/image/annotate.h"
#include "services/observer/image/image_encoder.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/analyse/pictures.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {

using ErrorCode = v1::AnalysisError;

class AnalyserTest : public testing::Test {
 protected:
  AnalyserTest() {
    Random random(2);
    show(desktop_picture(random, {640, 480}), {0, 0});
  }

  // Draws the picture at a place of the frame.
  void show(const cv::Mat& picture, cv::Point at) {
    cv::Mat screen(source_.desktop.height, source_.desktop.width, CV_8UC4, source_.pixels.data());
    picture.copyTo(screen(cv::Rect(at, picture.size())));
  }

  static v1::RegionQuery& add_region(v1::AnalyzeRequest& request, const Rect& area) {
    auto& query = *request.add_regions();
    *query.mutable_area() = rect_to_wire(area);
    return query;
  }

  // Returns a part of the frame as a PNG.
  v1::Template template_of(const Rect& part) {
    const cv::Mat screen(source_.desktop.height, source_.desktop.width, CV_8UC4, source_.pixels.data());
    Canvas canvas;
    draw_plain(view_of(screen(cv::Rect(part.x, part.y, part.width, part.height)).clone()), canvas);
    ImageEncoder encoder;
    v1::Template result;
    result.set_image(encoder.encode(canvas, Formats::kPng).data);
    result.set_digest(to_hex(blake2b(result.image(), 16)));
    return result;
  }

  static void want(v1::RegionQuery& query, const v1::Template& wanted, double min_confidence = 0.8) {
    query.add_templates()->set_digest(wanted.digest());
    query.mutable_templates(query.templates_size() - 1)->set_min_confidence(min_confidence);
  }

  v1::AnalyzeReply analyze(const v1::AnalyzeRequest& request) {
    auto reply = analyser_.analyze(request, {});
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : v1::AnalyzeReply();
  }

  v1::RegionAnalysis analyze_one(const v1::AnalyzeRequest& request) {
    auto reply = analyze(request);
    return reply.regions_size() == 1 ? reply.regions(0) : v1::RegionAnalysis();
  }

  ManualClock clock_;
  FakeSource source_{{-100, -50, 640, 480}, clock_};
  FrameCache frames_{source_};
  Ocr ocr_;
  int reads_ = 0;
  Rect last_read_;
  Analyser analyser_{frames_, [this](const auto& frame, const Rect& area, const auto& hidden) {
                       ++reads_;
                       last_read_ = area;
                       return ocr_.read(frame, area, hidden);
                     }};
};

}  // namespace da::observer
