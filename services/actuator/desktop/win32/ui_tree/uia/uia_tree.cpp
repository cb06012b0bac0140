#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"

#include <spdlog/spdlog.h>

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kForgettingTime{200};

using Question = std::function<Result<FoundElement>(UiaClient&)>;

// An application that does not answer has elements all the same.
Result<FoundElement> ask_for_element(UiaWorker& worker, Question question, MonoTime deadline) {
  auto found = worker.ask<FoundElement>(std::move(question), deadline);
  if (found || found.error().code != Code::kDeadlineExceeded) return found;
  FoundElement unread;
  unread.unread = true;
  return unread;
}

}  // namespace

Result<std::unique_ptr<UiaTree>> UiaTree::open(Windows& windows, UiaClient::Factory factory, const Clock& clock) {
  // Threads that were abandoned share the elements with those that follow.
  const auto kept = std::make_shared<KeptElements>();
  ASSIGN_OR_RETURN(
      auto worker,
      UiaWorker::open(
          "UI Automation",
          [factory = std::move(factory), kept, &clock] { return UiaClient::open(factory, kept, clock); }, clock));
  return std::unique_ptr<UiaTree>(new UiaTree(windows, std::move(worker), clock));
}

Result<ElementTree> UiaTree::read(const std::optional<WindowInfo>& window, const TreeLimits& limits) {
  std::vector<WindowInfo> wanted;
  if (window) {
    wanted.push_back(*window);
  } else {
    ASSIGN_OR_RETURN(wanted, windows_.list());
  }
  ElementTree whole;
  for (const WindowInfo& each : wanted) {
    TreeLimits rest = limits;
    rest.max_nodes -= std::min<std::uint32_t>(limits.max_nodes, static_cast<std::uint32_t>(whole.elements.size()));
    if (rest.max_nodes == 0) {
      whole.truncated = true;
      break;
    }
    auto part = worker_->ask<ElementTree>(
        [each, rest](UiaClient& client) -> Result<ElementTree> {
          ElementTree tree;
          RETURN_IF_ERROR(client.read(each, rest, tree));
          return tree;
        },
        limits.deadline);
    const bool hangs = !part && part.error().code == Code::kDeadlineExceeded;
    if (!part && !hangs) part = handles_.read(each, rest);
    if (part) {
      whole.truncated |= part->truncated;
      if (whole.note.empty()) whole.note = part->note;
      for (Element& element : part->elements) whole.elements.push_back(std::move(element));
    } else if (hangs) {
      whole.truncated = true;
      whole.note = part.error().message;
    } else if (window) {
      return part.error();
    }
  }
  return whole;
}

Result<FoundElement> UiaTree::element_at(const WindowInfo& window, Point at, MonoTime deadline) {
  auto found = ask_for_element(
      *worker_, [window, at](UiaClient& client) { return client.element_at(window, at); }, deadline);
  if (found && (found->element || found->unread)) return found;
  return handles_.element_at(window, at, deadline);
}

Result<FoundElement> UiaTree::focused(const WindowInfo& window, MonoTime deadline) {
  auto found = ask_for_element(
      *worker_, [window](UiaClient& client) { return client.focused(window); }, deadline);
  if (found && (found->element || found->unread)) return found;
  return handles_.focused(window, deadline);
}

Result<Element> UiaTree::refresh(const ElementHandle& element, MonoTime deadline) {
  if (!KeptElements::is_handle(element)) return handles_.refresh(element, deadline);
  return worker_->ask<Element>([element](UiaClient& client) { return client.refresh(element); }, deadline);
}

Result<std::vector<Rect>> UiaTree::text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                               MonoTime deadline) {
  if (!KeptElements::is_handle(element)) return handles_.text_places(element, ranges, deadline);
  RETURN_IF_ERROR(refresh(element, deadline));
  return Error{Code::kUnimplemented, "the places of characters are not read from UI Automation"};
}

Result<void> UiaTree::invoke(const ElementHandle& element, MonoTime deadline) {
  if (!KeptElements::is_handle(element)) return handles_.invoke(element, deadline);
  return worker_->ask<void>([element](UiaClient& client) { return client.invoke(element); }, deadline);
}

void UiaTree::forget_all() {
  const auto forgotten = worker_->ask<void>(
      [](UiaClient& client) -> Result<void> {
        client.forget_all();
        return ok();
      },
      clock_.now() + kForgettingTime);
  if (!forgotten) spdlog::warn("forget the elements of closed tasks: {}", forgotten.error().message);
}

Result<void> UiaTree::reveal(const ElementHandle& element, MonoTime deadline) {
  if (!KeptElements::is_handle(element)) return handles_.reveal(element, deadline);
  return worker_->ask<void>([element](UiaClient& client) { return client.reveal(element); }, deadline);
}

}  // namespace da::actuator::win32
