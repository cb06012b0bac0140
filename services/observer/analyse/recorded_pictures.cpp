#include "services/observer/analyse/recorded_pictures.h"

#include <algorithm>

namespace da::observer {
namespace {

constexpr std::size_t kRemembered = 64;

}  // namespace

const v1::RegionPicture* RecordedPictures::find(const std::string& task_id, const std::string& content) {
  const auto found = std::ranges::find_if(
      published_, [&](const Published& one) { return one.content == content && one.task_id == task_id; });
  if (found == published_.end()) return nullptr;
  published_.splice(published_.begin(), published_, found);
  return &found->picture;
}

bool RecordedPictures::has_room(MonoTime now) {
  const std::chrono::duration<double> since = now - counted_;
  counted_ = now;
  room_ = std::min(kBurstBytes, room_ + std::max(0.0, since.count()) * kBytesPerSecond);
  return room_ > 0;
}

void RecordedPictures::add(const std::string& task_id, const std::string& content, const v1::RegionPicture& picture) {
  room_ -= static_cast<double>(picture.image().data().size());
  published_.push_front({task_id, content, picture});
  published_.front().picture.mutable_image()->clear_data();
  if (published_.size() > kRemembered) published_.pop_back();
}

}  // namespace da::observer
