#include "services/actuator/privacy/written_text.h"

#include "services/actuator/privacy/placeholder.h"

namespace da::actuator {

void WrittenText::add(const v1::Action& action, const Secrets& secrets) {
  if (secrets.size() == 0) return;
  // A serialised message contains its texts unchanged.
  secrets.find_beginnings(action.SerializeAsString(), known_);
  const std::string* const text = typed_text(action);
  if (text == nullptr) return;
  typed_ += *text;
  secrets.find_beginnings(typed_, known_);
  if (typed_.size() > kMaxSecretBytes) typed_.erase(0, typed_.size() - kMaxSecretBytes);
}

}  // namespace da::actuator
