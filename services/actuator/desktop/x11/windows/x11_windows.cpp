#include "services/actuator/desktop/x11/windows/x11_windows.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "services/actuator/desktop/x11/applications/posix_process.h"
#include "services/actuator/desktop/x11/windows/modality.h"
#include "services/actuator/desktop/x11/windows/press_surface.h"
#include "services/actuator/desktop/x11/windows/window_hits.h"

namespace da::actuator::x11 {
namespace {

// EWMH source indication: a person's wish, which focus stealing prevention does not block.
constexpr std::uint32_t kFromPager = 2;
constexpr std::uint32_t kToManager = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT;
constexpr int kMaxFrames = 16;  // Around one window.

}  // namespace

Result<std::unique_ptr<X11Windows>> X11Windows::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  ASSIGN_OR_RETURN(const auto atoms, WindowAtoms::intern(*connection));
  ASSIGN_OR_RETURN(const auto owners, WindowOwners::open(*connection));
  ASSIGN_OR_RETURN(const LockProbe probe, LockProbe::open(*connection));
  RETURN_IF_ERROR(connection->select_events(connection->root(), XCB_EVENT_MASK_PROPERTY_CHANGE));
  return std::unique_ptr<X11Windows>(new X11Windows(std::move(connection), atoms, owners, probe));
}

// A dead window manager leaves its properties on the root window, but not the window that they name.
Result<X11Windows::RootProperties> X11Windows::root_properties() {
  Connection& x = *connection_;
  const auto check = x.ask_property(x.root(), atoms_.net_supporting_wm_check);
  const auto stacking = x.ask_property(x.root(), atoms_.net_client_list_stacking);
  const auto mapped = x.ask_property(x.root(), atoms_.net_client_list);
  const auto active = x.ask_property(x.root(), atoms_.net_active_window);
  auto named = x.ask_property(manager_, atoms_.net_supporting_wm_check);
  const xcb_window_t manager = x.take_property(check).word().value_or(XCB_NONE);
  RootProperties root{.front_to_back = x.take_property(stacking).words(),
                      .mapped = x.take_property(mapped).words(),
                      .active = x.take_property(active).word().value_or(XCB_NONE)};
  Property by_itself = x.take_property(named);
  if (manager != manager_) {
    manager_ = manager;
    by_itself = x.take_property(x.ask_property(manager_, atoms_.net_supporting_wm_check));
  }
  RETURN_IF_ERROR(x.alive());
  root.managed = manager != XCB_NONE && by_itself.word() == manager;
  if (root.front_to_back.empty()) root.front_to_back = root.mapped;
  std::ranges::reverse(root.front_to_back);
  return root;
}

Result<bool> X11Windows::managed() {
  ASSIGN_OR_RETURN(const RootProperties root, root_properties());
  return root.managed;
}

Result<std::vector<xcb_window_t>> X11Windows::children_of_root(Bypassing bypassing) {
  const auto cookie = xcb_query_tree(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto tree, connection_->reply(xcb_query_tree_reply, cookie, "list the windows"));
  const xcb_window_t* children = xcb_query_tree_children(tree.get());
  std::vector<xcb_window_t> mapped;
  std::vector<xcb_get_window_attributes_cookie_t> asked;
  for (int i = 0; i < xcb_query_tree_children_length(tree.get()); ++i)
    asked.push_back(xcb_get_window_attributes(connection_->get(), children[i]));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto state = connection_->reply(xcb_get_window_attributes_reply, asked[i], "look at a window");
    if (state && (*state)->map_state == XCB_MAP_STATE_VIEWABLE && (*state)->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT &&
        ((*state)->override_redirect != 0) == (bypassing == Bypassing::kYes))
      mapped.push_back(children[i]);
  }
  return mapped;
}

Result<X11Windows::Listed> X11Windows::listed() {
  ASSIGN_OR_RETURN(RootProperties root, root_properties());
  if (root.managed) return Listed{std::move(root.front_to_back), std::move(root.mapped), root.active};
  Listed listed;
  ASSIGN_OR_RETURN(listed.front_to_back, children_of_root(Bypassing::kNo));
  listed.mapped = listed.front_to_back;  // Programs put new windows on top.
  std::ranges::reverse(listed.front_to_back);
  ASSIGN_OR_RETURN(listed.active, focused_top_level());
  return listed;
}

// The keyboard focus may be in a child of the listed window.
Result<xcb_window_t> X11Windows::focused_top_level() {
  const auto cookie = xcb_get_input_focus(connection_->get());
  ASSIGN_OR_RETURN(const auto focus, connection_->reply(xcb_get_input_focus_reply, cookie, "find the keyboard focus"));
  if (focus->focus <= XCB_INPUT_FOCUS_POINTER_ROOT || focus->focus == connection_->root()) return focus->focus;
  ASSIGN_OR_RETURN(const auto tops, clients_of_frames(std::span(&focus->focus, 1)));
  return tops.empty() ? focus->focus : tops.begin()->first;
}

Result<xcb_window_t> X11Windows::active() {
  ASSIGN_OR_RETURN(const RootProperties root, root_properties());
  return root.managed ? Result<xcb_window_t>(root.active) : focused_top_level();
}

Result<std::vector<DescribedWindow>> X11Windows::describe_listed(const Listed& windows) {
  auto found = describe(windows.front_to_back);
  RETURN_IF_ERROR(connection_->alive());
  return found;
}

Result<std::vector<DescribedWindow>> X11Windows::unlisted() {
  ASSIGN_OR_RETURN(const Listed windows, listed());
  ASSIGN_OR_RETURN(auto found, describe_listed(windows));
  std::erase_if(found, [](const DescribedWindow& window) { return window.application || !window.info.mapped; });
  ASSIGN_OR_RETURN(const auto bypassing, children_of_root(Bypassing::kYes));
  auto others = describe_windows(*connection_, atoms_, owners_, bypassing);
  RETURN_IF_ERROR(connection_->alive());
  std::ranges::move(others, std::back_inserter(found));
  return found;
}

Result<std::vector<DescribedWindow>> X11Windows::described() {
  ASSIGN_OR_RETURN(const Listed windows, listed());
  ASSIGN_OR_RETURN(auto found, describe_listed(windows));
  std::erase_if(found, [](const DescribedWindow& window) { return !window.application; });
  const auto exists = [&](xcb_window_t each) {
    return std::ranges::find(found, each, &DescribedWindow::window) != found.end();
  };
  std::erase_if(modal_, [&](xcb_window_t each) { return !exists(each); });
  for (DescribedWindow& window : found) window.modal |= modal_.contains(window.window);
  const auto blocked = blocked_windows(found, windows.mapped);
  for (DescribedWindow& window : found) {
    window.info.focused = window.window == windows.active;
    const auto by = blocked.find(window.window);
    if (by != blocked.end()) window.info.blocked_by = window_id(by->second);
  }
  return found;
}

void X11Windows::learn_modal(const std::string& id, bool modal) {
  const auto window = window_of_id(id);
  if (!window) return;
  if (modal)
    modal_.insert(*window);
  else
    modal_.erase(*window);
}

Result<std::vector<WindowInfo>> X11Windows::list() {
  ASSIGN_OR_RETURN(auto windows, described());
  std::vector<WindowInfo> infos;
  for (DescribedWindow& window : windows) infos.push_back(std::move(window.info));
  return infos;
}

std::vector<std::uint32_t> X11Windows::ancestors() { return own_ancestors(); }

Result<std::optional<WindowInfo>> X11Windows::foreground() {
  ASSIGN_OR_RETURN(const xcb_window_t focused, active());
  if (focused <= XCB_INPUT_FOCUS_POINTER_ROOT || focused == connection_->root()) return std::optional<WindowInfo>();
  auto found = describe(std::span(&focused, 1));
  RETURN_IF_ERROR(connection_->alive());
  if (found.empty() || !found.front().application) return std::optional<WindowInfo>();
  found.front().info.focused = true;
  return std::optional(std::move(found.front().info));
}

Result<std::map<xcb_window_t, xcb_window_t>> X11Windows::clients_of_frames(std::span<const xcb_window_t> windows) {
  struct Climb {
    xcb_window_t client;
    xcb_window_t at;
  };
  std::vector<Climb> climbs;
  for (const xcb_window_t window : windows) climbs.push_back({window, window});
  std::map<xcb_window_t, xcb_window_t> clients;
  for (int level = 0; level < kMaxFrames && !climbs.empty(); ++level) {
    std::vector<xcb_query_tree_cookie_t> asked;
    for (const Climb& climb : climbs) asked.push_back(xcb_query_tree(connection_->get(), climb.at));
    std::vector<Climb> higher;
    for (std::size_t i = 0; i < climbs.size(); ++i) {
      const auto tree = connection_->reply(xcb_query_tree_reply, asked[i], "find a window's parent");
      if (!tree || (*tree)->parent == XCB_NONE) continue;
      if ((*tree)->parent == connection_->root()) {
        clients.emplace(climbs[i].at, climbs[i].client);
      } else {
        higher.push_back({climbs[i].client, (*tree)->parent});
      }
    }
    climbs = std::move(higher);
  }
  RETURN_IF_ERROR(connection_->alive());
  return clients;
}

// Menus and tooltips bypass the window manager. They may name the window that they belong to; otherwise they count as
// windows of their own. A named window must be of the same process, because any program can name any window.
Result<std::optional<WindowInfo>> X11Windows::unmanaged(xcb_window_t window,
                                                        const std::vector<DescribedWindow>& windows) {
  auto found = describe(std::span(&window, 1));
  RETURN_IF_ERROR(connection_->alive());
  if (found.empty()) return std::optional<WindowInfo>();
  if (const auto owner = owner_among(found.front(), windows)) return std::optional(owner->info);
  if (!found.front().application) return std::optional<WindowInfo>();
  return std::optional(std::move(found.front().info));
}

Result<std::optional<WindowInfo>> X11Windows::window_at(Point at) {
  ASSIGN_OR_RETURN(const xcb_window_t window, root_child_at(*connection_, at));
  if (window == XCB_NONE) return std::optional<WindowInfo>();
  ASSIGN_OR_RETURN(const auto windows, described());
  std::vector<xcb_window_t> ids;
  for (const DescribedWindow& each : windows) ids.push_back(each.window);
  ASSIGN_OR_RETURN(const auto clients, clients_of_frames(ids));
  const auto client = clients.find(window);
  const xcb_window_t own = client == clients.end() ? window : client->second;
  std::optional<WindowInfo> found;
  if (client == clients.end()) {
    ASSIGN_OR_RETURN(found, unmanaged(window, windows));
  } else {
    const DescribedWindow& described = *std::ranges::find(windows, own, &DescribedWindow::window);
    found = described.info;
    found->on_frame = !described.client.contains(at);
  }
  ASSIGN_OR_RETURN(const bool grabbed, probe_.pointer_is_taken());
  ASSIGN_OR_RETURN(const xcb_window_t part, innermost_window_at(*connection_, at));
  if (found) found->surface = PressSurface{window, own, grabbed}.text();
  if (found) found->part = std::to_string(part);
  return found;
}

Result<std::optional<Rect>> X11Windows::popup_at(Point at) {
  ASSIGN_OR_RETURN(const xcb_window_t window, root_child_at(*connection_, at));
  if (window == XCB_NONE) return std::optional<Rect>();
  // Frames of window managers are unmanaged, too.
  ASSIGN_OR_RETURN(const Listed windows, listed());
  ASSIGN_OR_RETURN(const auto clients, clients_of_frames(windows.front_to_back));
  if (clients.contains(window)) return std::optional<Rect>();
  const auto found = describe(std::span(&window, 1));
  const bool pops_up = !found.empty() && found.front().override_redirect && !found.front().only_shows;
  return pops_up ? std::optional(found.front().client) : std::nullopt;
}

Result<xcb_window_t> X11Windows::existing(const std::string& id) {
  ASSIGN_OR_RETURN(const Listed windows, listed());
  const auto window = window_of_id(id);
  if (window && std::ranges::find(windows.front_to_back, *window) != windows.front_to_back.end()) return *window;
  return Error{Code::kNotFound, "the window is gone"};
}

Result<bool> X11Windows::is_focused(xcb_window_t window) {
  const auto cookie = xcb_get_window_attributes(connection_->get(), window);
  ASSIGN_OR_RETURN(const auto state, connection_->reply(xcb_get_window_attributes_reply, cookie, "look at a window"));
  ASSIGN_OR_RETURN(const xcb_window_t focused, active());
  return focused == window && state->map_state == XCB_MAP_STATE_VIEWABLE;
}

Result<void> X11Windows::focus(const std::string& id, MonoTime deadline) {
  ASSIGN_OR_RETURN(const xcb_window_t window, existing(id));
  RETURN_IF_ERROR(connection_->select_events(window, XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_FOCUS_CHANGE));
  ASSIGN_OR_RETURN(const bool has_manager, managed());
  if (has_manager) {
    ASSIGN_OR_RETURN(const xcb_window_t now_active, active());
    connection_->send_message(connection_->root(), window, atoms_.net_active_window,
                              {kFromPager, XCB_CURRENT_TIME, now_active, 0, 0}, kToManager);
  } else {
    constexpr std::uint32_t kAbove = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(connection_->get(), window, XCB_CONFIG_WINDOW_STACK_MODE, &kAbove);
    xcb_set_input_focus(connection_->get(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  }
  Result<void> outcome;
  for (;;) {
    auto focused = is_focused(window);
    if (!focused) {
      outcome = focused.error();
      break;
    }
    if (*focused) break;
    ASSIGN_OR_RETURN(const EventPtr event, connection_->next_event(deadline));
    if (event) continue;
    outcome = Error{Code::kDeadlineExceeded, "the window manager has not activated the window in time"};
    break;
  }
  xcb_change_window_attributes(connection_->get(), window, XCB_CW_EVENT_MASK, std::array{0U}.data());
  connection_->flush();
  return outcome;
}

Result<void> X11Windows::close(const std::string& id) {
  ASSIGN_OR_RETURN(const xcb_window_t window, existing(id));
  ASSIGN_OR_RETURN(const bool has_manager, managed());
  if (has_manager) {
    connection_->send_message(connection_->root(), window, atoms_.net_close_window,
                              {XCB_CURRENT_TIME, kFromPager, 0, 0, 0}, kToManager);
    return connection_->sync();
  }
  const auto protocols = connection_->take_property(connection_->ask_property(window, atoms_.wm_protocols)).words();
  if (std::ranges::find(protocols, atoms_.wm_delete_window) == protocols.end())
    return Error{Code::kFailedPrecondition, "the window cannot be asked to close (no WM_DELETE_WINDOW)"};
  connection_->send_message(window, window, atoms_.wm_protocols, {atoms_.wm_delete_window, XCB_CURRENT_TIME, 0, 0, 0},
                            XCB_EVENT_MASK_NO_EVENT);
  return connection_->sync();
}

bool X11Windows::may_be_started_by(std::uint32_t pid, std::uint32_t program) {
  return x11::may_be_started_by(pid, program);
}

Result<Ending> X11Windows::terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                                     MonoTime deadline) {
  RETURN_IF_ERROR(checkpoint());
  RETURN_IF_ERROR(kill_process(pid, process_start, deadline, connection_->clock()));
  return Ending::kKilled;
}

}  // namespace da::actuator::x11
