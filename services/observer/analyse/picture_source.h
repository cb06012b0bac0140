// A desktop that shows one picture: its frame is the picture's pixels, at 0,0, without windows and elements. One thread
// at a time.
#pragma once

#include <string>

#include "services/observer/frames/desktop_source.h"
#include "services/observer/image/image_decoder.h"

namespace da::observer {

class PictureSource final : public DesktopSource {
 public:
  explicit PictureSource(DecodedImage picture) : picture_(std::move(picture)) {}

  Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) override;
  // A picture has no elements: kUnimplemented.
  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) override;
  Result<v1::UiNode> read_element(const v1::ElementRequest& request) override;
  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) override;
  // A picture never changes: kUnimplemented.
  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request,
                                            const std::stop_token& stop) override;

 private:
  DecodedImage picture_;
};

}  // namespace da::observer
