// Draws lines of UTF-8 text into memory with the system's fonts (fontconfig chooses, FreeType draws).
//
// Each character comes from the first font that has it, without ligatures, shaping or reordering. Owns the fonts, which
// stay open. One thread at a time. Errors: kUnimplemented (no font is installed).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

// FreeType's, whose headers stay out of ours.
struct FT_LibraryRec_;
struct FT_FaceRec_;

namespace da::actuator::x11 {

// BGRX, 4 bytes a pixel, top row first, tightly packed.
struct Canvas {
  Canvas(int width, int height, std::uint32_t colour)
      : width(width),
        height(height),
        pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), colour) {}

  int width;
  int height;
  std::vector<std::uint32_t> pixels;
};

class TextPainter {
 public:
  // `pixel_size`: the height of the text.
  static Result<std::unique_ptr<TextPainter>> open(int pixel_size);

  int line_height() const { return line_height_; }
  int width_of(std::string_view text);
  // `y`: top of the line. Parts outside the canvas are cut.
  void draw(std::string_view text, int x, int y, std::uint32_t colour, Canvas& canvas);

 private:
  struct CloseLibrary {
    void operator()(FT_LibraryRec_* library) const;
  };
  struct CloseFace {
    void operator()(FT_FaceRec_* face) const;
  };
  using UniqueLibrary = std::unique_ptr<FT_LibraryRec_, CloseLibrary>;
  using UniqueFace = std::unique_ptr<FT_FaceRec_, CloseFace>;
  struct Font {
    std::string file;
    int index = 0;
    bool tried = false;
    UniqueFace face;  // Null: not opened yet, or it cannot be opened.
  };
  struct Glyph {
    int left = 0;  // Distance from the pen to the bitmap.
    int top = 0;   // Height above the baseline.
    int width = 0;
    int height = 0;
    int advance = 0;
    std::vector<std::uint8_t> coverage;
  };

  TextPainter(UniqueLibrary library, std::vector<Font> fonts, int pixel_size)
      : library_(std::move(library)), fonts_(std::move(fonts)), pixel_size_(pixel_size) {}
  FT_FaceRec_* open_face(Font& font);
  FT_FaceRec_* face_with(char32_t character);
  const Glyph& glyph_of(char32_t character);

  UniqueLibrary library_;
  std::vector<Font> fonts_;  // The best first.
  const int pixel_size_;
  int line_height_ = 0;
  int ascent_ = 0;
  std::map<char32_t, Glyph> glyphs_;
};

}  // namespace da::actuator::x11
