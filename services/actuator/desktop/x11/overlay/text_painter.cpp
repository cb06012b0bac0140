#include "services/actuator/desktop/x11/overlay/text_painter.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

// Bounds the search for a rare character.
constexpr int kMostFonts = 40;
// Foreign text must not fill the memory with glyphs.
constexpr std::size_t kMostGlyphs = 2000;

struct FreePattern {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
struct FreeFontSet {
  void operator()(FcFontSet* fonts) const { FcFontSetDestroy(fonts); }
};
struct FreeConfig {
  void operator()(FcConfig* config) const { FcConfigDestroy(config); }
};

std::uint8_t blend(std::uint32_t below, std::uint32_t above, int shift, std::uint8_t coverage) {
  const std::uint32_t b = below >> shift & 0xffU;
  const std::uint32_t a = above >> shift & 0xffU;
  return static_cast<std::uint8_t>((b * (255U - coverage) + a * coverage) / 255U);
}

}  // namespace

void TextPainter::CloseLibrary::operator()(FT_LibraryRec_* library) const { FT_Done_FreeType(library); }

void TextPainter::CloseFace::operator()(FT_FaceRec_* face) const { FT_Done_Face(face); }

Result<std::unique_ptr<TextPainter>> TextPainter::open(int pixel_size) {
  FT_Library raw = nullptr;
  if (FT_Init_FreeType(&raw) != 0) return Error{Code::kUnimplemented, "draw text: FreeType cannot start"};
  UniqueLibrary library(raw);
  const std::unique_ptr<FcConfig, FreeConfig> config(FcInitLoadConfigAndFonts());
  if (!config) return Error{Code::kUnimplemented, "draw text: fontconfig cannot start"};
  const std::unique_ptr<FcPattern, FreePattern> wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans"));
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(wanted.get(), FC_COLOR, FcFalse);
  FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult outcome = FcResultNoMatch;
  const std::unique_ptr<FcFontSet, FreeFontSet> found(
      FcFontSort(config.get(), wanted.get(), FcTrue, nullptr, &outcome));
  std::vector<Font> fonts;
  for (int i = 0; found && i < std::min(found->nfont, kMostFonts); ++i) {
    FcChar8* file = nullptr;
    if (FcPatternGetString(found->fonts[i], FC_FILE, 0, &file) != FcResultMatch) continue;
    Font font;
    font.file = reinterpret_cast<const char*>(file);
    FcPatternGetInteger(found->fonts[i], FC_INDEX, 0, &font.index);
    fonts.push_back(std::move(font));
  }
  std::unique_ptr<TextPainter> painter(new TextPainter(std::move(library), std::move(fonts), pixel_size));
  for (Font& font : painter->fonts_) {
    const FT_Face face = painter->open_face(font);
    if (face == nullptr) continue;
    constexpr int kUnit = 64;  // FreeType's metrics are 26.6 fixed point.
    painter->ascent_ = static_cast<int>(face->size->metrics.ascender / kUnit);
    painter->line_height_ = static_cast<int>(face->size->metrics.height / kUnit);
    return painter;
  }
  return Error{Code::kUnimplemented, "draw text: no font is installed; install fonts-dejavu-core, for example"};
}

FT_Face TextPainter::open_face(Font& font) {
  if (font.tried) return font.face.get();
  font.tried = true;
  FT_Face face = nullptr;
  if (FT_New_Face(library_.get(), font.file.c_str(), font.index, &face) != 0) return nullptr;
  font.face.reset(face);
  if (FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(pixel_size_)) != 0) font.face.reset();
  return font.face.get();
}

// The first font's own sign for a missing character, when no font has it.
FT_Face TextPainter::face_with(char32_t character) {
  FT_Face first = nullptr;
  for (Font& font : fonts_) {
    const FT_Face face = open_face(font);
    if (face == nullptr) continue;
    if (FT_Get_Char_Index(face, character) != 0) return face;
    if (first == nullptr) first = face;
  }
  return first;
}

const TextPainter::Glyph& TextPainter::glyph_of(char32_t character) {
  if (const auto known = glyphs_.find(character); known != glyphs_.end()) return known->second;
  if (glyphs_.size() >= kMostGlyphs) glyphs_.clear();
  Glyph glyph;
  const FT_Face face = face_with(character);
  if (FT_Load_Char(face, character, FT_LOAD_RENDER) == 0 && face->glyph->bitmap.pixel_mode == FT_PIXEL_MODE_GRAY) {
    const FT_GlyphSlot slot = face->glyph;
    constexpr int kUnit = 64;
    glyph = {slot->bitmap_left,
             slot->bitmap_top,
             static_cast<int>(slot->bitmap.width),
             static_cast<int>(slot->bitmap.rows),
             static_cast<int>(slot->advance.x / kUnit),
             {}};
    for (int row = 0; row < glyph.height; ++row) {
      const std::uint8_t* line = slot->bitmap.buffer + static_cast<std::ptrdiff_t>(row) * slot->bitmap.pitch;
      glyph.coverage.insert(glyph.coverage.end(), line, line + glyph.width);
    }
  }
  return glyphs_.emplace(character, std::move(glyph)).first->second;
}

int TextPainter::width_of(std::string_view text) {
  int width = 0;
  for (const char32_t character : decode_utf8(text).value_or(U"")) width += glyph_of(character).advance;
  return width;
}

void TextPainter::draw(std::string_view text, int x, int y, std::uint32_t colour, Canvas& canvas) {
  for (const char32_t character : decode_utf8(text).value_or(U"")) {
    const Glyph& glyph = glyph_of(character);
    for (int row = 0; row < glyph.height; ++row) {
      for (int column = 0; column < glyph.width; ++column) {
        const int to_x = x + glyph.left + column;
        const int to_y = y + ascent_ - glyph.top + row;
        if (to_x < 0 || to_y < 0 || to_x >= canvas.width || to_y >= canvas.height) continue;
        const auto coverage = glyph.coverage[static_cast<std::size_t>(row) * static_cast<std::size_t>(glyph.width) +
                                             static_cast<std::size_t>(column)];
        std::uint32_t& pixel = canvas.pixels[static_cast<std::size_t>(to_y) * static_cast<std::size_t>(canvas.width) +
                                             static_cast<std::size_t>(to_x)];
        pixel = static_cast<std::uint32_t>(blend(pixel, colour, 16, coverage)) << 16 |
                static_cast<std::uint32_t>(blend(pixel, colour, 8, coverage)) << 8 | blend(pixel, colour, 0, coverage);
      }
    }
    x += glyph.advance;
  }
}

}  // namespace da::actuator::x11
