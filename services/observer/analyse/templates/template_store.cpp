#include "services/observer/analyse/templates/template_store.h"

#include "lib/base/id.h"

namespace da::observer {
namespace {

constexpr std::size_t kMostTemplates = 256;
constexpr std::size_t kMostBytes = 64 << 20;

std::size_t bytes_of(const DecodedImage& image) { return image.bgrx.size() + image.alpha.size(); }

}  // namespace

Result<void> TemplateStore::add(const std::string& digest, const std::string& image) {
  if (find(digest)) return ok();
  if (image.size() > kMaxTemplateBytes) {
    return Error{Code::kInvalidArgument, "the template has " + std::to_string(image.size()) + " bytes (at most " +
                                             std::to_string(kMaxTemplateBytes) + ")"};
  }
  if (to_hex(blake2b(image, 16)) != digest) {
    return Error{Code::kInvalidArgument, "the template's image does not have its digest"};
  }
  ASSIGN_OR_RETURN(auto decoded, decode_image(image, kMaxTemplatePixels));
  bytes_ += bytes_of(decoded);
  entries_.push_front({digest, std::make_shared<const DecodedImage>(std::move(decoded))});
  by_digest_[digest] = entries_.begin();
  evict();
  return ok();
}

std::shared_ptr<const DecodedImage> TemplateStore::find(const std::string& digest) {
  const auto found = by_digest_.find(digest);
  if (found == by_digest_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->image;
}

// Keeps the newest one even if it is larger than the limit, for the request that brought it.
void TemplateStore::evict() {
  while (entries_.size() > 1 && (entries_.size() > kMostTemplates || bytes_ > kMostBytes)) {
    bytes_ -= bytes_of(*entries_.back().image);
    by_digest_.erase(entries_.back().digest);
    entries_.pop_back();
  }
}

}  // namespace da::observer
