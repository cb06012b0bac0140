// The templates that requests have sent, decoded, by digest. Evicts those that were not used for the longest time. One
// thread at a time.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>

#include "lib/base/result.h"
#include "services/observer/image/image_decoder.h"

namespace da::observer {

inline constexpr std::size_t kMaxTemplateBytes = 2 << 20;    // Limit of an encoded file.
inline constexpr std::int64_t kMaxTemplatePixels = 4 << 20;  // Limit of one template.

class TemplateStore {
 public:
  // kInvalidArgument: the image is too large, cannot be decoded, or does not have this digest.
  Result<void> add(const std::string& digest, const std::string& image);
  // nullptr if it was never added, or is evicted.
  std::shared_ptr<const DecodedImage> find(const std::string& digest);

 private:
  struct Entry {
    std::string digest;
    std::shared_ptr<const DecodedImage> image;
  };
  using Entries = std::list<Entry>;  // Last used first.

  void evict();

  Entries entries_;
  std::map<std::string, Entries::iterator> by_digest_;
  std::size_t bytes_ = 0;  // Size of all decoded pixels.
};

}  // namespace da::observer
