#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator {
namespace {

constexpr int kMaxDepth = 500;

}  // namespace

Result<std::optional<PageDocument>> UiTree::document_of(const ElementHandle& element, MonoTime deadline) {
  std::optional<PageDocument> frame;
  ElementHandle at = element;
  for (int level = 0; level < kMaxDepth; ++level) {
    ASSIGN_OR_RETURN(const Element found, refresh(at, deadline));
    if (found.role == "document web") return std::optional(PageDocument{found.handle, found.role});
    // A page may also call a part of itself a document.
    if (found.role == "document frame" && !frame) frame = PageDocument{found.handle, found.role};
    if (found.parent.native.empty()) return frame;
    at = found.parent;
  }
  return Error{Code::kOutOfRange, "the element has too many containers"};
}

}  // namespace da::actuator
