// An actuator for the tests to kill: it starts the guardian, does what its command line says, and waits.
// Usage: held_victim GUARDIAN button X Y, GUARDIAN offer TEXT, or GUARDIAN offers TEXT: holds a button, or offers a
// text on the clipboard, once or all the time, by the whole desktop. GUARDIAN ctrl, or GUARDIAN ctrl+button X Y: by
// what the desktop's input is made of, because Input holds keys only for a moment. GUARDIAN end TEXT EVENT [POINT]:
// waits for the event of that name, offers the text, and ends by itself; faulty_victim kills itself at the fault point
// POINT.
#include <windows.h>

#include <cstdlib>
#include <string_view>

#include "services/actuator/desktop/win32/input/input_mark.h"
#include "services/actuator/desktop/win32/input/keyboard/held_keys.h"
#include "services/actuator/desktop/win32/screen/screen_rest.h"
#include "services/actuator/desktop/win32/session/guardian.h"
#include "services/actuator/desktop/win32/win32_desktop.h"

namespace {

using namespace da::actuator;

int hold_button(const char* guardian, da::Point at) {
  const auto desktop = open_win32_desktop(da::system_clock(), Win32Use::kDrive, guardian);
  if (!desktop) return 3;
  if (!(*desktop)->input().button_down(at, Button::kLeft)) return 4;
  ::Sleep(INFINITE);
  return 0;
}

enum class Offers { kOnce, kAllTheTime };

int offer(const char* guardian, std::string_view text, Offers offers) {
  const auto desktop = open_win32_desktop(da::system_clock(), Win32Use::kDrive, guardian);
  if (!desktop) return 3;
  bool offered = true;
  do {
    offered = (*desktop)->clipboard().set_text(text).has_value();
    // All the time: the test keeps the clipboard open now and then, on a busy machine for long.
  } while (offers == Offers::kAllTheTime);
  if (!offered) return 4;
  ::Sleep(INFINITE);
  return 0;
}

int offer_and_end(const char* guardian, std::string_view text, const char* event, const char* point) {
  const auto desktop = open_win32_desktop(da::system_clock(), Win32Use::kDrive, guardian);
  const win32::UniqueKernelHandle begin(::OpenEventA(SYNCHRONIZE, FALSE, event));
  if (!desktop || !begin) return 3;
  ::WaitForSingleObject(begin.get(), INFINITE);
  // Set after the guardian has started, which must not inherit it.
  if (point != nullptr) ::_putenv_s("DA_FAULT_POINT", point);
  return (*desktop)->clipboard().set_text(text) ? 0 : 4;
}

int hold_control(const char* guardian, const std::optional<da::Point>& button_at) {
  const std::uintptr_t mark = win32::new_input_mark();
  auto page = win32::HeldPage::create();
  if (!page) return 3;
  page->set_mark(mark);
  const auto clipboard = win32::KeptClipboard::create();
  if (!clipboard || !win32::start_guardian(guardian, *page, *clipboard)) return 3;
  win32::InputChunk chunk(mark, win32::virtual_desktop());
  chunk.key({VK_LCONTROL, 29, false}, win32::Press::kDown);
  if (button_at) {
    chunk.move(*button_at);
    chunk.button(Button::kLeft, win32::Press::kDown, *button_at);
  }
  win32::HeldKeys held(*std::move(page));
  held.set_pressed_at(button_at);
  held.add_pressed(chunk.events());
  const auto count = static_cast<UINT>(chunk.events().size());
  if (::SendInput(count, chunk.events().data(), sizeof(INPUT)) != count) return 4;
  ::Sleep(INFINITE);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 6) return 2;
  const std::string_view what = argv[2];
  std::optional<da::Point> at;
  if (argc == 5) at = da::Point{std::atoi(argv[3]), std::atoi(argv[4])};
  if (what == "offer" && argc == 4) return offer(argv[1], argv[3], Offers::kOnce);
  if (what == "offers" && argc == 4) return offer(argv[1], argv[3], Offers::kAllTheTime);
  if (what == "end" && argc >= 5) return offer_and_end(argv[1], argv[3], argv[4], argc == 6 ? argv[5] : nullptr);
  if (what == "button" && at) return hold_button(argv[1], *at);
  if (what == "ctrl" && !at) return hold_control(argv[1], at);
  if (what == "ctrl+button" && at) return hold_control(argv[1], at);
  return 2;
}
