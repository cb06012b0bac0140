// The forms in which names and titles that a person reads on the screen are compared. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da {

// Two names that a person reads as the same have the same form: full case folding and compatibility composition
// (NFKC_Casefold of Unicode: "Straße" and "STRASSE", an accent that is a character of its own, full width), without
// invisible characters; hyphens, dashes and the minus sign become "-", typographic quotes plain ones; one space
// between words, none at the ends. Bytes that are not UTF-8 stay.
std::string comparable_name(std::string_view name);

// Whether both have the same form. Two names without any visible character are not the same.
bool is_same_name(std::string_view name, std::string_view other);

// Whether a name or title contains this part, in the forms above. An empty part is in every name, but one that has
// only blanks or invisible characters is in none.
bool name_contains(std::string_view name, std::string_view part);

// How well a title fits a wish: an exact title goes before a longer one that contains it.
enum class TitleFit { kNo, kContains, kSameName, kExact };
TitleFit title_fit(std::string_view title, std::string_view wanted);

// The text without accents, dots and other marks of its letters: "Ubernehmen" for "Übernehmen".
std::string without_accents(std::string_view text);

// The text with accents composed (NFC), for expressions that are matched against it.
std::string composed(std::string_view text);

}  // namespace da
