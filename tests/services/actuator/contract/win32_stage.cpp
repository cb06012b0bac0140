#include "tests/services/actuator/win32/stage.h"

#include <windows.h>

#include <sstream>
#include <stdexcept>

#include "services/actuator/desktop/win32/base/wide_text.h"
#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class Win32Stage final : public Stage {
 public:
  Desktop& desktop() override { return session_.desktop(); }

  Target open_target(const std::string& title) override {
    wchar_t own[MAX_PATH] = {};
    ::GetModuleFileNameW(nullptr, own, MAX_PATH);
    const auto program = std::filesystem::path(own).parent_path() / "contract_target.exe";
    Target target;
    target.window = session_.start("\"" + win32::to_utf8(program.wstring()) + "\" \"" +
                                       win32::to_utf8(session_.file("").parent_path().wstring()) + "\" " + title,
                                   title);
    if (!eventually([&] { return std::filesystem::exists(session_.file(title + ".pad")); })) {
      throw std::runtime_error("the target program does not tell the place of its pad");
    }
    std::istringstream place(read_file(session_.file(title + ".pad")));
    place >> target.pad.x >> target.pad.y >> target.pad.width >> target.pad.height;
    return target;
  }
  Events received(const std::string& title) override {
    std::istringstream lines(read_file(session_.file(title + ".events")));
    Events events;
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      events.push_back(line);
    }
    return events;
  }
  std::string text(const std::string& title) override { return read_file(session_.file(title + ".text")); }
  void open_dialog(const std::string& title) override {
    ::PostMessageW(::FindWindowW(nullptr, win32::to_utf16(title).c_str()), WM_APP, 0, 0);
    await_focus_of("Question");
  }
  // Wine and old versions of Windows have none; tests/services/actuator/win32/overlay_test.cpp tests its window there.
  bool has_overlay() override {
    if (!has_overlay_) {
      has_overlay_ = desktop().overlay().show({.driver = "test", .stop_chord = "test"}).has_value();
      desktop().overlay().hide();
    }
    return *has_overlay_;
  }
  // Nothing can read the overlay's pixels here: the place of its window, which follows its text, stands for them.
  std::string seen_by_person() override {
    const HWND overlay = ::FindWindowW(L"DesktopAssistOverlay", nullptr);
    if (overlay == nullptr || !::IsWindowVisible(overlay)) return "";
    RECT place{};
    ::GetWindowRect(overlay, &place);
    return std::to_string(place.left) + "," + std::to_string(place.top) + " to " + std::to_string(place.right) + "," +
           std::to_string(place.bottom);
  }
  bool act_as_person(PersonActs act) override {
    if (!has_xdotool()) return false;
    switch (act) {
      case PersonActs::kTapsKey: xdotool("key a"); break;
      case PersonActs::kUsesMouse: xdotool("mousemove_relative 7 5"); break;
      case PersonActs::kPressesKillKeys: xdotool("key ctrl+shift+Escape"); break;
    }
    return true;
  }
  // Wine has no locker; on Windows, LockWorkStation() needs a person to unlock.
  bool lock() override { return false; }
  void unlock() override {}
  // Wine's processes do not know each other's cursors.
  bool shows_cursors() override {
    return ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version") == nullptr;
  }
  // Only desktop duplication reports changes; Wine has none.
  bool reports_changes() override {
    const auto frame = desktop().screen().capture();
    return frame && frame->generation != 0;
  }

 private:
  actuator::Stage session_;
  std::optional<bool> has_overlay_;
};

}  // namespace

std::unique_ptr<Stage> open_stage() { return std::make_unique<Win32Stage>(); }

}  // namespace da::actuator::contract
