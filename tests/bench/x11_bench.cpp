// Compares the X11 back end on $DISPLAY (run it under deploy/desktop) with common tools: capture with PIL's ImageGrab
// and memcpy, typing with `xdotool type`, and reading the accessibility tree with libatspi, object by object.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "services/actuator/action_executor.h"
#include "services/actuator/desktop/x11/x11_desktop.h"
#include "services/actuator/privacy/secrets.h"
#include "tests/bench/bare_tree.h"
#include "tests/bench/bare_typing.h"
#include "tests/bench/peer.h"

namespace da::bench {
namespace {

using namespace da::actuator;

constexpr Milliseconds kPatience{20'000};
constexpr Milliseconds kAtRest{300};
constexpr Milliseconds kMoment{1'000};
constexpr std::size_t kCharacters = 1'000;
constexpr int kInstances = 5;
constexpr int kReadingsAgain = 10;

MonoTime soon() { return system_clock().now() + kPatience; }

template <class Work>
double time_ms(Work&& work) {
  const auto begun = system_clock().now();
  work();
  return std::chrono::duration<double, std::milli>(system_clock().now() - begun).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

void refuse(benchmark::State& state, const Error& error) { state.SkipWithError(error.message.c_str()); }

// Limited to kMoment, because a blinking caret never rests.
void rest(Desktop& desktop) { (void)desktop.screen().wait_quiet(kAtRest, system_clock().now() + kMoment); }

// An application that the destructor ends.
class Application {
 public:
  static Result<Application> start(Desktop& desktop, const std::string& command, const std::string& title) {
    ASSIGN_OR_RETURN(const auto plan, desktop.applications().resolve(command));
    RETURN_IF_ERROR(desktop.applications().launch(plan));
    const MonoTime deadline = soon();
    while (system_clock().now() < deadline) {
      ASSIGN_OR_RETURN(const auto windows, desktop.windows().list());
      for (const WindowInfo& window : windows) {
        if (!contains_ignoring_case(window.title, title)) continue;
        RETURN_IF_ERROR(desktop.windows().focus(window.id, deadline));
        rest(desktop);
        return Application(desktop, window);
      }
      (void)desktop.screen().wait_quiet(Milliseconds(50), deadline);
    }
    return Error{Code::kDeadlineExceeded, command + " showed no window"};
  }
  Application(Application&& other) noexcept : desktop_(other.desktop_), window_(std::exchange(other.window_, {})) {}
  Application& operator=(Application&&) = delete;
  ~Application() {
    if (window_.pid != 0)
      (void)desktop_.windows().terminate(
          window_.pid, window_.process_start, [] { return ok(); }, soon());
  }
  const WindowInfo& window() const { return window_; }

 private:
  Application(Desktop& desktop, WindowInfo window) : desktop_(desktop), window_(std::move(window)) {}
  Desktop& desktop_;
  WindowInfo window_;
};

void capture(benchmark::State& state) {
  auto desktop = open_x11_desktop({}, system_clock());
  if (!desktop) return refuse(state, desktop.error());
  auto view = (*desktop)->screen().capture();
  if (!view) return refuse(state, view.error());
  const std::size_t bytes = view->stride * static_cast<std::size_t>(view->area.height);
  std::vector<std::uint8_t> copy(bytes);
  std::vector<double> ours;
  std::vector<double> copied;
  for (auto _ : state) {
    ours.push_back(time_ms([&] { view = (*desktop)->screen().capture(); }));
    if (!view) return refuse(state, view.error());
    copied.push_back(time_ms([&] { std::memcpy(copy.data(), view->data, bytes); }));
    benchmark::DoNotOptimize(copy.data());
  }
  const auto pil = run_script("pil_capture.py", {}, 2);
  if (!pil) return refuse(state, pil.error());
  state.counters["width"] = view->area.width;
  state.counters["ours_ms"] = median(ours);
  state.counters["limit_ms"] = median(copied);
  state.counters["peer_ms"] = (*pil)[0];
  state.counters["peer_cpu_ms"] = (*pil)[1];
  state.counters["times_faster"] = (*pil)[0] / median(ours);
  state.counters["times_limit"] = median(ours) / median(copied);
}
BENCHMARK(capture)->Iterations(200)->Unit(benchmark::kMillisecond);

// Captures, and steps of the overlay itself, in turns without and with an overlay that shows.
void overlay(benchmark::State& state) {
  auto desktop = open_x11_desktop({}, system_clock());
  if (!desktop) return refuse(state, desktop.error());
  constexpr int kInTurn = 50;
  std::vector<double> without, with, part_without, part_with, shown;
  const auto capture_in_turn = [&](std::vector<double>& whole, std::vector<double>& parts) {
    for (int i = 0; i < kInTurn; ++i) {
      whole.push_back(time_ms([&] { benchmark::DoNotOptimize((*desktop)->screen().capture()); }));
      parts.push_back(time_ms([&] {
        benchmark::DoNotOptimize((*desktop)->screen().capture_area({576, 416, 48, 48}));
      }));
    }
  };
  int turn = 0;
  for (auto _ : state) {
    (*desktop)->overlay().hide();
    capture_in_turn(without, part_without);
    OverlayContent content{
        .driver = "driven by DesktopAssist",
        .stop_chord = "stop: Ctrl+Shift+Esc",
        .justification = "The letter must be saved before it is sent, so turn " + std::to_string(turn++),
        .approval_words = "lusab babad gutih tugad",
        .marker = Rect{560, 400, 80, 30}};
    Result<void> showed;
    shown.push_back(time_ms([&] { showed = (*desktop)->overlay().show(content); }));
    if (!showed) return refuse(state, showed.error());
    capture_in_turn(with, part_with);
  }
  state.counters["capture_ms"] = median(without);
  state.counters["capture_with_overlay_ms"] = median(with);
  state.counters["part_ms"] = median(part_without);
  state.counters["part_with_overlay_ms"] = median(part_with);
  state.counters["show_ms"] = median(shown);
}
BENCHMARK(overlay)->Iterations(20)->Unit(benchmark::kMillisecond);

constexpr std::u32string_view kAscii = U"The quick brown fox: 0123456789, jumps & runs; \"done\"\n";
constexpr std::u32string_view kUnicode = U"The quick brown fox: 0123456789, Grüße & çà, 漢字 €; \"done\"\n";

std::string text_to_type(std::u32string_view line) {
  std::string text;
  for (std::size_t i = 0; i < kCharacters; ++i) append_utf8(text, line[i % line.size()]);
  return text;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// The number of characters of `wanted` outside the longest common subsequence.
std::size_t wrong(const std::string& wanted, const std::string& got) {
  const auto want = decode_utf8(wanted).value_or(U"");
  const auto have = decode_utf8(got).value_or(U"");
  std::vector<std::size_t> row(have.size() + 1);
  for (const char32_t character : want) {
    std::size_t diagonal = 0;
    for (std::size_t i = 0; i < have.size(); ++i) {
      const std::size_t above = row[i + 1];
      row[i + 1] = character == have[i] ? diagonal + 1 : std::max(above, row[i]);
      diagonal = above;
    }
  }
  return want.size() - row.back();
}

// An application to type into, and how to save the text.
struct Reader {
  std::function<std::string(const std::filesystem::path& file)>
      command;                    // The window's title contains the file's stem.
  std::vector<std::string> keep;  // The chord that saves the file.
};

Reader editor() {
  return {[](const auto& file) { return "mousepad " + file.string(); }, {"ctrl", "s"}};
}

Reader qt_editor() {
  return {[](const auto& file) { return "featherpad --standalone " + file.string(); }, {"ctrl", "s"}};
}

Reader terminal() {
  return {[](const auto& file) { return "xterm -T " + file.stem().string() + " -e cp /dev/stdin " + file.string(); },
          {"ctrl", "d"}};
}

struct Typed {
  double ms = 0;
  double reader_ms = 0;  // CPU time of the application, a lower limit of the typing time.
  std::size_t wrong = 0;
};

double cpu_ms(std::uint32_t pid) {
  std::ifstream schedule("/proc/" + std::to_string(pid) + "/schedstat");
  double ns = 0;
  schedule >> ns;
  return ns / 1e6;
}

// Types into an application, saves the file and compares its content. `prepare` is not timed.
Result<Typed> type_into(
    Desktop& desktop, const Reader& reader, const std::string& text, const std::function<Result<void>()>& type,
    const std::function<Result<void>()>& prepare = [] { return ok(); }) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("da-bench-" + random_hex(4) + ".txt");
  std::ofstream(file).close();
  ASSIGN_OR_RETURN(const auto application, Application::start(desktop, reader.command(file), file.stem()));
  RETURN_IF_ERROR(prepare());
  Typed typed;
  Result<void> done;
  const double before = cpu_ms(application.window().pid);
  typed.ms = time_ms([&] { done = type(); });
  typed.reader_ms = cpu_ms(application.window().pid) - before;
  RETURN_IF_ERROR(done);
  rest(desktop);
  RETURN_IF_ERROR(desktop.input().chord(reader.keep, [] { return ok(); }));
  const MonoTime deadline = soon();
  while (content_of(file).empty() && system_clock().now() < deadline) rest(desktop);
  rest(desktop);
  typed.wrong = wrong(text, content_of(file));
  std::filesystem::remove(file);
  return typed;
}

Result<Typed> type_with_xdotool(Desktop& desktop, const Reader& reader, const std::string& text) {
  const std::filesystem::path source = std::filesystem::temp_directory_path() / ("da-bench-" + random_hex(4));
  std::ofstream(source, std::ios::binary) << text;
  const auto typed = type_into(desktop, reader, text, [&]() -> Result<void> {
    RETURN_IF_ERROR(output_of({"/usr/bin/xdotool", "type", "--file", source.string()}));
    return ok();
  });
  std::filesystem::remove(source);
  return typed;
}

enum class Bare { kMeasured, kNot };

void typing(benchmark::State& state, const Reader& reader, std::u32string_view line, Bare bare) {
  auto desktop = open_x11_desktop({}, system_clock());
  if (!desktop) return refuse(state, desktop.error());
  const std::string text = text_to_type(line);
  const auto characters = *decode_utf8(text);
  std::vector<double> ours;
  std::vector<double> read;
  std::vector<double> bares;
  std::vector<double> read_bare;
  std::size_t lost = 0;
  const Secrets secrets;
  ActionExecutor executor(**desktop, secrets, system_clock(), LaunchBy::kProcess);
  std::size_t proven = 0;
  ActionTarget target;
  const auto find_target = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(target.foreground, (*desktop)->windows().foreground());
    target.window = target.foreground;
    ASSIGN_OR_RETURN(const auto focused, (*desktop)->ui_tree().focused(*target.foreground, soon()));
    target.focused = focused.element;
    return ok();
  };
  // This includes the proof that the application shows the text, as a step of a task does.
  const auto type_ours = [&]() -> Result<void> {
    v1::Action action;
    action.mutable_write()->set_text(text);
    const v1::Outcome outcome = executor.perform(action, target, [] { return ok(); });
    proven += outcome.kind() == v1::Outcome::KIND_CONFIRMED ? 1 : 0;
    return outcome.done() == outcome.total() ? ok() : Result<void>(Error{Code::kUnavailable, outcome.message()});
  };
  const auto ours_once = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto typed, type_into(**desktop, reader, text, type_ours, find_target));
    ours.push_back(typed.ms);
    read.push_back(typed.reader_ms);
    lost += typed.wrong;
    return ok();
  };
  // Into an application whose elements were read before, too: reporting its elements costs it time at each key.
  const auto find_and_rest = [&]() -> Result<void> {
    RETURN_IF_ERROR(find_target());
    (*desktop)->ui_tree().let_applications_rest();
    return ok();
  };
  const auto bare_once = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto typed,
                     type_into(
                         **desktop, reader, text, [&] { return type_bare(characters); }, find_and_rest));
    bares.push_back(typed.ms);
    read_bare.push_back(typed.reader_ms);
    lost += typed.wrong;
    return ok();
  };
  // The order changes, because each run warms caches for the next one.
  bool bare_first = false;
  for (auto _ : state) {
    const bool measures_bare = bare == Bare::kMeasured;
    if (measures_bare && bare_first) {
      if (const auto done = bare_once(); !done) return refuse(state, done.error());
    }
    if (const auto done = ours_once(); !done) return refuse(state, done.error());
    if (measures_bare && !bare_first) {
      if (const auto done = bare_once(); !done) return refuse(state, done.error());
    }
    bare_first = !bare_first;
  }
  const auto peer = type_with_xdotool(**desktop, reader, text);
  if (!peer) return refuse(state, peer.error());
  state.counters["ours_ms"] = median(ours);
  state.counters["ours_wrong"] = static_cast<double>(lost);
  state.counters["ours_proven"] = static_cast<double>(proven) / static_cast<double>(ours.size());
  state.counters["limit_ms"] = median(read);
  state.counters["peer_ms"] = peer->ms;
  state.counters["peer_wrong"] = static_cast<double>(peer->wrong);
  state.counters["times_faster"] = peer->ms / median(ours);
  state.counters["times_limit"] = median(ours) / median(read);
  if (bare == Bare::kNot) return;
  state.counters["bare_ms"] = median(bares);
  state.counters["bare_limit_ms"] = median(read_bare);
  state.counters["times_bare"] = median(ours) / median(bares);
}
void typing_editor_ascii(benchmark::State& state) { typing(state, editor(), kAscii, Bare::kMeasured); }
void typing_editor_unicode(benchmark::State& state) { typing(state, editor(), kUnicode, Bare::kNot); }
void typing_qt_editor_ascii(benchmark::State& state) { typing(state, qt_editor(), kAscii, Bare::kNot); }
void typing_qt_editor_unicode(benchmark::State& state) { typing(state, qt_editor(), kUnicode, Bare::kNot); }
void typing_terminal_ascii(benchmark::State& state) { typing(state, terminal(), kAscii, Bare::kNot); }
void typing_terminal_unicode(benchmark::State& state) { typing(state, terminal(), kUnicode, Bare::kNot); }
BENCHMARK(typing_editor_ascii)->Iterations(16)->Unit(benchmark::kMillisecond);
BENCHMARK(typing_editor_unicode)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(typing_qt_editor_ascii)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(typing_qt_editor_unicode)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(typing_terminal_ascii)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(typing_terminal_unicode)->Iterations(5)->Unit(benchmark::kMillisecond);

Result<std::pair<double, std::size_t>> read_tree(Desktop& desktop, const WindowInfo& window) {
  Result<ElementTree> tree = Error{Code::kInternal, "not read"};
  const double ms = time_ms([&] { tree = desktop.ui_tree().read(window, {5'000, soon(), Milliseconds(1000)}); });
  if (!tree) return tree.error();
  return std::pair(ms, tree->elements.size());
}

// An application's caches serve all readers, so each first reading needs a new instance, also for the peer.
void tree(benchmark::State& state, const std::string& command, const std::string& title) {
  auto desktop = open_x11_desktop({}, system_clock());
  if (!desktop) return refuse(state, desktop.error());
  std::vector<double> peer_first;
  std::vector<double> peer_again;
  double peer_nodes = 0;
  for (int i = 0; i < kInstances; ++i) {
    const auto application = Application::start(**desktop, command, title);
    if (!application) return refuse(state, application.error());
    const auto peer = run_script("atspi_recursion.py", {std::to_string(application->window().pid)}, 4);
    if (!peer) return refuse(state, peer.error());
    peer_first.push_back((*peer)[0]);
    peer_again.push_back((*peer)[2]);
    peer_nodes = (*peer)[1];
  }
  const auto address = accessibility_bus();
  if (!address) return refuse(state, address.error());
  std::vector<double> bare;
  for (int i = 0; i < kInstances; ++i) {
    const auto application = Application::start(**desktop, command, title);
    if (!application) return refuse(state, application.error());
    Result<std::size_t> read = Error{Code::kInternal, "not read"};
    bare.push_back(time_ms([&] { read = read_bare_tree(*address, static_cast<pid_t>(application->window().pid)); }));
    if (!read) return refuse(state, read.error());
    state.counters["bare_nodes"] = static_cast<double>(*read);
  }
  std::vector<double> first;
  std::vector<double> again;
  std::size_t nodes = 0;
  for (auto _ : state) {
    const auto application = Application::start(**desktop, command, title);
    if (!application) return refuse(state, application.error());
    for (int i = 0; i <= kReadingsAgain; ++i) {
      const auto read = read_tree(**desktop, application->window());
      if (!read) return refuse(state, read.error());
      (i == 0 ? first : again).push_back(read->first);
      nodes = read->second;
    }
  }
  state.counters["ours_first_ms"] = median(first);
  state.counters["ours_again_ms"] = median(again);
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["peer_ms"] = median(peer_first);
  state.counters["peer_again_ms"] = median(peer_again);
  state.counters["peer_nodes"] = peer_nodes;
  state.counters["bare_ms"] = median(bare);
  state.counters["times_faster"] = median(peer_first) / median(first);
  state.counters["times_bare"] = median(first) / median(bare);
  state.counters["times_faster_again"] = median(peer_again) / median(again);
}
void tree_gtk3(benchmark::State& state) { tree(state, "mousepad", "mousepad"); }
void tree_gtk4(benchmark::State& state) { tree(state, "gnome-calculator", "calculator"); }
BENCHMARK(tree_gtk3)->Iterations(kInstances)->Unit(benchmark::kMillisecond);
BENCHMARK(tree_gtk4)->Iterations(kInstances)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace da::bench

BENCHMARK_MAIN();
