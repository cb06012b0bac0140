// The clipboard as any program uses it: by Win32 alone, without the code that is tested. Each function opens it and
// closes it again; failures are failures of the test.
#pragma once

#include <gtest/gtest.h>
#include <windows.h>

#include <map>
#include <string>
#include <vector>

namespace da::actuator::raw_clipboard {

struct Content {
  UINT format = 0;
  std::string bytes;
};

// Empties the clipboard and adds these formats, as a program does when a person copies. The owner is `window`, or one
// that is gone afterwards. CF_ENHMETAFILE takes the bytes of a metafile.
void copy(const std::vector<Content>& contents, HWND window = nullptr);
void copy_text(const std::wstring& text);
void clear();
// As a clipboard manager that copies all formats, also those that it does not know.
void take_over(HWND window = nullptr);

// All formats that are memory, and metafiles; also those that Windows makes.
std::map<UINT, std::string> all();
// The bytes of one format; empty when the clipboard does not have it.
std::string get(UINT format);
std::wstring text();
// Formats in their order, also those that have no bytes here.
std::vector<UINT> formats();

UINT registered(const wchar_t* name);

}  // namespace da::actuator::raw_clipboard
