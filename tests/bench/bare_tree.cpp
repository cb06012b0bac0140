#include "tests/bench/bare_tree.h"

#include <systemd/sd-bus.h>

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace da::bench {
namespace {

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
constexpr const char* kRoot = "/org/a11y/atspi/accessible/root";
constexpr std::uint32_t kScreenCoordinates = 0;
constexpr std::uint64_t kPatienceUs = 10'000'000;

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct UnrefMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using UniqueBus = std::unique_ptr<sd_bus, CloseBus>;
using UniqueMessage = std::unique_ptr<sd_bus_message, UnrefMessage>;

struct Object {
  std::string bus;
  std::string path;
  friend auto operator<=>(const Object&, const Object&) = default;
};

// Sends questions at once and waits for all answers. An answer is nullptr for an error.
class Round {
 public:
  using Answer = std::function<void(sd_bus_message*)>;

  explicit Round(sd_bus* bus) : bus_(bus) {}

  void ask(const Object& object, const char* interface, const char* member, Answer answer,
           const std::function<void(sd_bus_message*)>& arguments = nullptr) {
    sd_bus_message* made = nullptr;
    if (sd_bus_message_new_method_call(bus_, &made, object.bus.c_str(), object.path.c_str(), interface, member) < 0)
      return;
    const UniqueMessage call(made);
    if (arguments) arguments(call.get());
    Waiting& waiting = waiting_.emplace_back(Waiting{&open_, std::move(answer)});
    if (sd_bus_call_async(bus_, nullptr, call.get(), take, &waiting, kPatienceUs) >= 0) ++open_;
  }

  Result<void> run() {
    while (open_ > 0) {
      const int done = sd_bus_process(bus_, nullptr);
      if (done < 0) return Error{Code::kUnavailable, "the accessibility bus is gone"};
      if (done == 0) (void)sd_bus_wait(bus_, kPatienceUs);
    }
    return ok();
  }

 private:
  struct Waiting {
    std::size_t* open;
    Answer answer;
  };

  static int take(sd_bus_message* message, void* data, sd_bus_error*) {
    const Waiting& waiting = *static_cast<Waiting*>(data);
    --*waiting.open;
    if (waiting.answer) waiting.answer(sd_bus_message_is_method_error(message, nullptr) > 0 ? nullptr : message);
    return 0;
  }

  sd_bus* bus_;
  std::size_t open_ = 0;
  std::deque<Waiting> waiting_;
};

std::vector<Object> read_objects(sd_bus_message* message) {
  std::vector<Object> objects;
  if (message == nullptr || sd_bus_message_enter_container(message, 'a', "(so)") <= 0) return objects;
  const char* bus = nullptr;
  const char* path = nullptr;
  while (sd_bus_message_read(message, "(so)", &bus, &path) > 0) objects.push_back({bus, path});
  return objects;
}

Result<std::vector<Object>> children_of(sd_bus* bus, const std::vector<Object>& objects) {
  std::vector<std::vector<Object>> found(objects.size());
  Round round(bus);
  for (std::size_t i = 0; i < objects.size(); ++i)
    round.ask(objects[i], kAccessible, "GetChildren",
              [&children = found[i]](sd_bus_message* m) { children = read_objects(m); });
  RETURN_IF_ERROR(round.run());
  std::vector<Object> children;
  for (auto& each : found) children.insert(children.end(), each.begin(), each.end());
  return children;
}

Result<Object> application_of(sd_bus* bus, pid_t pid) {
  ASSIGN_OR_RETURN(const auto applications, children_of(bus, {{"org.a11y.atspi.Registry", kRoot}}));
  std::vector<std::uint32_t> pids(applications.size());
  Round round(bus);
  const Object daemon{"org.freedesktop.DBus", "/org/freedesktop/DBus"};
  for (std::size_t i = 0; i < applications.size(); ++i) {
    round.ask(
        daemon, "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        [&found = pids[i]](sd_bus_message* m) {
          if (m != nullptr) (void)sd_bus_message_read(m, "u", &found);
        },
        [&](sd_bus_message* m) { (void)sd_bus_message_append(m, "s", applications[i].bus.c_str()); });
  }
  RETURN_IF_ERROR(round.run());
  for (std::size_t i = 0; i < applications.size(); ++i)
    if (std::cmp_equal(pids[i], pid)) return applications[i];
  return Error{Code::kNotFound, "no accessible application has this process id"};
}

}  // namespace

Result<std::string> accessibility_bus() {
  sd_bus* opened = nullptr;
  if (sd_bus_open_user(&opened) < 0) return Error{Code::kUnavailable, "no session bus"};
  const UniqueBus session(opened);
  sd_bus_message* reply = nullptr;
  const char* address = nullptr;
  const int called = sd_bus_call_method(session.get(), "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
                                        nullptr, &reply, "");
  const UniqueMessage answer(reply);
  if (called < 0 || sd_bus_message_read(reply, "s", &address) <= 0) {
    return Error{Code::kUnavailable, "no accessibility bus"};
  }
  return std::string(address);
}

Result<std::size_t> read_bare_tree(const std::string& address, pid_t pid) {
  sd_bus* made = nullptr;
  if (sd_bus_new(&made) < 0) return Error{Code::kUnavailable, "no memory for a bus"};
  const UniqueBus bus(made);
  const bool open =
      sd_bus_set_address(made, address.c_str()) >= 0 && sd_bus_set_bus_client(made, 1) >= 0 && sd_bus_start(made) >= 0;
  if (!open) return Error{Code::kUnavailable, "cannot connect to the accessibility bus"};
  ASSIGN_OR_RETURN(const Object application, application_of(made, pid));
  std::set<Object> all;
  for (std::vector<Object> level{application}; !level.empty();) {
    ASSIGN_OR_RETURN(const auto children, children_of(made, level));
    level.clear();
    for (const Object& child : children)
      if (all.insert(child).second) level.push_back(child);
  }
  bool has_cache = false;
  Round cache(made);
  cache.ask({application.bus, "/org/a11y/atspi/cache"}, "org.a11y.atspi.Cache", "GetItems",
            [&](sd_bus_message* m) { has_cache = m != nullptr; });
  RETURN_IF_ERROR(cache.run());
  Round details(made);
  for (const Object& object : all) {
    details.ask(object, "org.a11y.atspi.Component", "GetExtents", nullptr,
                [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScreenCoordinates); });
    if (has_cache) continue;
    details.ask(object, kAccessible, "GetRole", nullptr);
    details.ask(object, kAccessible, "GetState", nullptr);
    details.ask(object, kProperties, "Get", nullptr,
                [](sd_bus_message* m) { (void)sd_bus_message_append(m, "ss", kAccessible, "Name"); });
  }
  RETURN_IF_ERROR(details.run());
  return all.size();
}

}  // namespace da::bench
