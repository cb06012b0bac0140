// The planner's observer on a FakeWorld: observations, elements, pictures and analyses. It waits by advancing the
// world's clock. One thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "services/planner/roles.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {

class FakeObserver final : public Observer {
 public:
  explicit FakeObserver(FakeWorld& world) : world_(world) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) override;
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) override;

  static v1::ImageFact image_of(const std::string& image_hash);
  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) override;
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) override;
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) override;
  // Reads the names and texts of elements whose middle is in the region. A pixel of an element is green, or grey if it
  // is disabled; others are white. The picture template_of(name) is where the element of this name is.
  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) override;
  // A picture of a region is its content, and has its size divided by picture_scale.
  static std::string template_of(const std::string& name) { return "\x89PNG\r\n\x1a\n" + name; }

  // A wait for a change lets the world's time pass; with `waits_block` it lasts until the stop.
  std::vector<v1::AnalyzeRequest> analyzed;
  bool waits_block = false;
  std::atomic<int> waits = 0;  // That have begun.
  bool changes_reported = true;
  int picture_scale = 1;
  int regions_analysed = 0;                      // Those that were not unchanged.
  std::map<std::string, std::string> templates;  // Keyed by digest. May be cleared, as a restart does.
  std::uint32_t changed_tiles = 0;               // What each observation tells.
  std::optional<Error> lost;                     // If set, the answer of every call.
  bool incomplete = false;                       // A part of the screen cannot be read.
  std::function<void()> on_call;                 // Called before each call is answered.

 private:
  bool is_wanted(const v1::LocateRequest& request, const FakeElement& element) const;
  v1::RegionAnalysis analyse(const v1::RegionQuery& query);
  v1::AnalyzeReply look(const v1::AnalyzeRequest& request);
  v1::LocateReply look_for(const v1::LocateRequest& request) const;

  FakeWorld& world_;
};

}  // namespace da::planner
