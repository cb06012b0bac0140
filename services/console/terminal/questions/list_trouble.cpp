#include "services/console/terminal/questions/list_trouble.h"

#include <utility>

#include "lib/base/text.h"

namespace da::console {

std::string ListTrouble::failed(const Error& error) {
  if (!since_) since_ = clock_.now();
  if (error.code == Code::kUnavailable && clock_.now() - *since_ < kConnectionGone) return {};
  // Compares codes, because messages contain changing sizes and times.
  if (error.code == told_) return {};
  told_ = error.code;
  return "cannot list the pending approvals, retrying: " + escape_foreign(error.message);
}

std::string ListTrouble::worked() {
  since_.reset();
  const bool was_told = std::exchange(told_, std::nullopt).has_value();
  return was_told ? "the pending approvals can be listed again" : "";
}

}  // namespace da::console
