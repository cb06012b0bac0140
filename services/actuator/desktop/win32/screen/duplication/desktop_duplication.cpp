#include "services/actuator/desktop/win32/screen/duplication/desktop_duplication.h"

#include <cstring>

namespace da::actuator::win32 {

Result<FrameView> DesktopDuplication::capture(const Rect& desktop, const Rect& part, CopiedPixels& copy) {
  const std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(update(desktop));
  auto changed = history_.since(copy.generation);
  if (copy.pixels.area != part) {
    copy.pixels.area = part;
    copy.pixels.bytes.resize(static_cast<std::size_t>(part.area()) * 4);
    changed.reset();
  }
  if (!changed) changed = std::vector<Rect>{part};
  for (const Rect& area : *changed) {
    const Rect shown = intersection(area, part);
    for (int y = shown.y; y < shown.bottom(); ++y) {
      std::memcpy(copy.pixels.at(shown.x, y), pixels_.at(shown.x, y), static_cast<std::size_t>(shown.width) * 4);
    }
  }
  copy.generation = history_.now();
  return FrameView{copy.pixels.bytes.data(), part, copy.pixels.stride(), copy.generation};
}

Result<std::uint64_t> DesktopDuplication::generation(const Rect& desktop) {
  const std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(update(desktop));
  return history_.now();
}

Result<std::optional<std::vector<Rect>>> DesktopDuplication::changed_since(const Rect& desktop,
                                                                           std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(update(desktop));
  return history_.since(generation);
}

Result<void> DesktopDuplication::update(const Rect& desktop) {
  if (!outputs_.empty() && pixels_.area != desktop) outputs_.clear();
  if (outputs_.empty()) RETURN_IF_ERROR(open(desktop));
  bool complete = true;
  for (const auto& output : outputs_) {
    const auto changed = output->update(pixels_);
    if (!changed) {
      // One that has worked has ended by a change of the desktop: a new one may work at once.
      const bool worked = output->has_image();
      Error error = give_up(changed.error());
      if (worked) next_try_ = clock_.now();
      return error;
    }
    history_.add(*changed);
    complete = complete && output->has_image();
  }
  if (!complete) return Error{Code::kUnavailable, "duplicate the desktop: Windows has not delivered an image yet"};
  return ok();
}

Result<void> DesktopDuplication::open(const Rect& desktop) {
  if (failure_ && failed_desktop_ == desktop) {
    if (failure_->code == Code::kUnimplemented || clock_.now() < next_try_) return *failure_;
  }
  failed_desktop_ = desktop;
  const auto listed = list_();
  if (!listed) return give_up(listed.error());
  Rect all;
  for (const DxgiOutput& output : *listed) {
    auto opened = OutputDuplication::open(output);
    if (!opened) return give_up(opened.error());
    all = bounding(all, (*opened)->area());
    outputs_.push_back(*std::move(opened));
  }
  // An output that DXGI does not list must not become a black part of the frame.
  if (all != desktop) {
    return give_up({Code::kUnavailable, "duplicate the desktop: DXGI lists other monitors than the desktop has"});
  }
  pixels_.area = desktop;
  pixels_.bytes.assign(static_cast<std::size_t>(desktop.area()) * 4, 0);
  history_.add_everything();
  failure_.reset();
  return ok();
}

Error DesktopDuplication::give_up(Error error) {
  outputs_.clear();
  failure_ = error;
  next_try_ = clock_.now() + kBetweenTries;
  return error;
}

}  // namespace da::actuator::win32
