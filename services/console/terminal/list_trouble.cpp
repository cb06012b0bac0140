#include "services/console/terminal/list_trouble.h"

#include <utility>

#include "lib/base/text.h"

namespace da::console {

std::string ListTrouble::failed(const Error& error) {
  if (!since_) since_ = clock_.now();
  if (error.code == Code::kUnavailable && clock_.now() - *since_ < kConnectionGone) return {};
  // By its code: sizes and times in the message may be others each time.
  if (error.code == told_) return {};
  told_ = error.code;
  return "cannot list what waits for an approval, and tries again: " + escape_foreign(error.message);
}

std::string ListTrouble::worked() {
  since_.reset();
  const bool was_told = std::exchange(told_, std::nullopt).has_value();
  return was_told ? "what waits for an approval can be listed again" : "";
}

}  // namespace da::console
