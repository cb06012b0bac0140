// Pictures of regions that are published for the recording only: bounds their bytes, and remembers the newest ones, so
// that a region which shows the same again (a blinking cursor) costs nothing. One thread at a time.
#pragma once

#include <cstddef>
#include <list>
#include <string>

#include "da/v1/analysis.pb.h"
#include "lib/base/clock.h"

namespace da::observer {

class RecordedPictures {
 public:
  // So many bytes at once, then so many a second.
  static constexpr double kBurstBytes = 16 << 20;
  static constexpr double kBytesPerSecond = 256 << 10;

  // The picture of this content that was published for the task, without data; nullptr: none lately.
  const v1::RegionPicture* find(const std::string& task_id, const std::string& content);
  // Whether another one may be made now.
  bool has_room(MonoTime now);
  // The picture with its data, which is published next.
  void add(const std::string& task_id, const std::string& content, const v1::RegionPicture& picture);

 private:
  struct Published {
    std::string task_id;
    std::string content;
    v1::RegionPicture picture;
  };

  std::list<Published> published_;  // Last used first.
  double room_ = kBurstBytes;       // May become negative: a picture's size is known when it is made.
  MonoTime counted_{};
};

}  // namespace da::observer
