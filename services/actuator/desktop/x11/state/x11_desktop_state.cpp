#include "services/actuator/desktop/x11/state/x11_desktop_state.h"

#include <unistd.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kMaxAncestors = 64;

std::vector<xcb_window_t> ids_of(const auto& windows) {
  std::vector<xcb_window_t> ids;
  for (const DescribedWindow& window : windows) ids.push_back(window.window);
  return ids;
}

std::string named(const DescribedWindow& window) {
  return quote_foreign(window.info.title, 60) +
         (window.info.executable.empty() ? "" : " (" + escape_foreign(window.info.executable, 60) + ")");
}

bool same_process(const DescribedWindow& a, const DescribedWindow& b) {
  return a.info.pid != 0 && a.info.pid == b.info.pid;
}

// Whether it is a menu or a launcher on the screen, but no tooltip, panel or window of ours. Window managers keep
// windows of one pixel.
bool may_grab(const DescribedWindow& window, const xcb_screen_t& screen) {
  const Rect whole{0, 0, screen.width_in_pixels, screen.height_in_pixels};
  return window.override_redirect && !window.only_shows && window.application &&
         window.info.pid != static_cast<std::uint32_t>(::getpid()) && intersection(window.client, whole).area() > 1;
}

}  // namespace

Result<std::unique_ptr<X11DesktopState>> X11DesktopState::open(const std::string& display, X11Windows& windows,
                                                               const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(auto probe, LockProbe::open(*connection));
  return std::unique_ptr<X11DesktopState>(new X11DesktopState(std::move(connection), windows, std::move(probe)));
}

Result<X11DesktopState::Keyboard> X11DesktopState::keyboard() {
  const auto asked = xcb_get_input_focus(connection_->get());
  ASSIGN_OR_RETURN(const bool grabbed, probe_.keyboard_is_taken());
  ASSIGN_OR_RETURN(const auto focus, connection_->reply(xcb_get_input_focus_reply, asked, "find the keyboard focus"));
  return Keyboard{focus->focus, grabbed};
}

Result<std::vector<xcb_window_t>> X11DesktopState::with_ancestors(xcb_window_t window) {
  std::vector<xcb_window_t> chain;
  while (window != XCB_NONE && window != connection_->root() && chain.size() < kMaxAncestors) {
    chain.push_back(window);
    const auto tree =
        connection_->reply(xcb_query_tree_reply, xcb_query_tree(connection_->get(), window), "find a window's parent");
    if (!tree) break;
    window = (*tree)->parent;
  }
  RETURN_IF_ERROR(connection_->alive());
  return chain;
}

Result<X11DesktopState::Stack> X11DesktopState::stack() {
  xcb_connection_t* const x = connection_->get();
  const auto asked_tree = xcb_query_tree(x, connection_->root());
  ASSIGN_OR_RETURN(const auto tree, connection_->reply(xcb_query_tree_reply, asked_tree, "list the windows"));
  const xcb_window_t* const children = xcb_query_tree_children(tree.get());
  std::vector<xcb_get_window_attributes_cookie_t> asked;
  for (int i = 0; i < xcb_query_tree_children_length(tree.get()); ++i) {
    asked.push_back(xcb_get_window_attributes(x, children[i]));
  }
  Stack stack;
  for (std::size_t i = asked.size(); i-- > 0;) {
    const auto state = connection_->reply(xcb_get_window_attributes_reply, asked[i], "look at a window");
    if (state && (*state)->map_state == XCB_MAP_STATE_VIEWABLE) stack.windows.push_back(children[i]);
  }
  for (const xcb_window_t window : stack.windows) stack.shapes.push_back(shapes_.ask(window));
  RETURN_IF_ERROR(connection_->alive());
  return stack;
}

// Finds a menu or a launcher, too. Window managers keep the focus in a window outside of the screen when no application
// has it. PointerRoot means the window under the pointer, as usual without a window manager.
Result<std::optional<DescribedWindow>> X11DesktopState::focused(xcb_window_t focus,
                                                                const std::vector<DescribedWindow>& listed) {
  std::optional<DescribedWindow> none;
  xcb_window_t window = focus;
  if (focus == XCB_INPUT_FOCUS_POINTER_ROOT) {
    const auto asked = xcb_query_pointer(connection_->get(), connection_->root());
    ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, asked, "find the pointer"));
    window = pointer->child;
  }
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(window));
  for (const xcb_window_t each : chain) {
    const auto found = std::ranges::find(listed, each, &DescribedWindow::window);
    if (found != listed.end()) return std::optional(*found);
  }
  if (chain.empty()) return none;
  ASSIGN_OR_RETURN(const auto clients, windows_.clients_of_frames(ids_of(listed)));
  if (const auto client = clients.find(chain.back()); client != clients.end()) {
    return std::optional(*std::ranges::find(listed, client->second, &DescribedWindow::window));
  }
  auto unmanaged = windows_.describe(std::span(&chain.back(), 1));
  if (unmanaged.empty()) return none;
  const DescribedWindow& found = unmanaged.front();
  const Rect screen{0, 0, connection_->screen().width_in_pixels, connection_->screen().height_in_pixels};
  const bool shows = intersection(found.client, screen).area() > 1;
  if (!shows || !found.application || !found.info.mapped) return none;
  return std::optional(found);
}

Result<std::vector<DescribedWindow>> X11DesktopState::possible_holders(const std::vector<DescribedWindow>& listed) {
  ASSIGN_OR_RETURN(Stack stack, this->stack());
  ASSIGN_OR_RETURN(const auto clients, windows_.clients_of_frames(ids_of(listed)));
  std::vector<xcb_window_t> unmanaged;
  for (std::size_t i = 0; i < stack.windows.size(); ++i) {
    const auto parts = shapes_.take(stack.shapes[i]);
    // Our own overlay takes no clicks.
    if (!parts.empty() && !clients.contains(stack.windows[i])) unmanaged.push_back(stack.windows[i]);
  }
  auto holders = windows_.describe(unmanaged);
  std::erase_if(holders, [&](const DescribedWindow& window) { return !may_grab(window, connection_->screen()); });
  return holders;
}

Result<KeyReceiver> X11DesktopState::key_receiver() {
  ASSIGN_OR_RETURN(const Keyboard now, keyboard());
  ASSIGN_OR_RETURN(const auto listed, windows_.described());
  ASSIGN_OR_RETURN(const auto by_focus, focused(now.focus, listed));
  KeyReceiver receiver;
  receiver.focus = std::to_string(now.focus) + (now.grabbed ? "g" : "");
  const auto active = std::ranges::find(listed, true, [](const DescribedWindow& each) { return each.info.focused; });
  const DescribedWindow* holder = by_focus ? &*by_focus : nullptr;
  std::vector<DescribedWindow> holders;
  if (now.grabbed) {
    ASSIGN_OR_RETURN(holders, possible_holders(listed));
    const auto of_holder = [&](const DescribedWindow& each) {
      return holder != nullptr && same_process(each, *holder);
    };
    const bool own = !holders.empty() && std::ranges::all_of(holders, of_holder);
    const bool of_one = !holders.empty() && std::ranges::all_of(holders, [&](const DescribedWindow& each) {
      return each.window == holders.front().window || same_process(each, holders.front());
    });
    if (!own && of_one) {
      holder = &holders.front();
    } else if (!own) {
      receiver.unknown = "a program has grabbed the keyboard, and which one is unknown";
      for (const DescribedWindow& each : holders) {
        receiver.unknown += (&each == &holders.front() ? ": it may be " : " or ") + named(each);
      }
      return receiver;
    }
  }
  if (holder == nullptr) return receiver;
  const bool is_listed = std::ranges::find(listed, holder->window, &DescribedWindow::window) != listed.end();
  if (!is_listed && holder->override_redirect) {
    // A menu's keys belong to the window that opened it.
    const DescribedWindow* owner = owner_among(*holder, listed);
    if (owner == nullptr && active != listed.end() && same_process(*holder, *active)) owner = &*active;
    if (owner != nullptr) {
      receiver.window = owner->info;
      return receiver;
    }
    receiver.took_keyboard = true;
  }
  receiver.window = holder->info;
  receiver.window->focused = true;
  return receiver;
}

// Who holds a grab may change without a trace, so that is asked anew.
Result<bool> X11DesktopState::still_receives(const KeyReceiver& receiver) {
  ASSIGN_OR_RETURN(const Keyboard now, keyboard());
  if (!now.grabbed && receiver.focus == std::to_string(now.focus) && now.focus != XCB_INPUT_FOCUS_POINTER_ROOT) {
    return true;
  }
  ASSIGN_OR_RETURN(const KeyReceiver fresh, key_receiver());
  if (!fresh.window || !receiver.window) return false;
  return fresh.window->id == receiver.window->id && fresh.window->pid == receiver.window->pid &&
         fresh.took_keyboard == receiver.took_keyboard;
}

Result<std::vector<ClickArea>> X11DesktopState::click_areas(std::span<const WindowInfo> listed) {
  std::map<xcb_window_t, const WindowInfo*> known;
  std::vector<xcb_window_t> ids;
  for (const WindowInfo& window : listed) {
    if (const auto id = window_of_id(window.id)) {
      known.emplace(*id, &window);
      ids.push_back(*id);
    }
  }
  ASSIGN_OR_RETURN(Stack stack, this->stack());
  ASSIGN_OR_RETURN(const auto clients, windows_.clients_of_frames(ids));
  std::vector<xcb_window_t> unmanaged;
  for (const xcb_window_t window : stack.windows) {
    if (!clients.contains(window)) unmanaged.push_back(window);
  }
  const auto described = windows_.describe(unmanaged);
  std::vector<ClickArea> areas;
  for (std::size_t i = 0; i < stack.windows.size(); ++i) {
    auto parts = shapes_.take(stack.shapes[i]);
    if (parts.empty()) continue;
    if (const auto client = clients.find(stack.windows[i]); client != clients.end()) {
      const WindowInfo& window = *known.at(client->second);
      areas.push_back({.window = window, .owner_id = window.id, .parts = std::move(parts)});
      continue;
    }
    const auto found = std::ranges::find(described, stack.windows[i], &DescribedWindow::window);
    if (found == described.end()) continue;  // It has gone meanwhile.
    const auto owner = known.find(found->owner);
    const bool owned = owner != known.end() && found->info.pid != 0 && owner->second->pid == found->info.pid;
    areas.push_back({.window = found->info,
                     .owner_id = owned ? owner->second->id : "",
                     .listed = false,
                     .grabs_clicks = may_grab(*found, connection_->screen()),
                     .only_shows = found->only_shows,
                     .parts = std::move(parts)});
  }
  if (std::ranges::find(areas, true, &ClickArea::grabs_clicks) != areas.end()) {
    ASSIGN_OR_RETURN(const bool taken, probe_.pointer_is_taken());
    if (!taken) std::ranges::for_each(areas, [](ClickArea& area) { area.grabs_clicks = false; });
  }
  RETURN_IF_ERROR(connection_->alive());
  return areas;
}

}  // namespace da::actuator::x11
