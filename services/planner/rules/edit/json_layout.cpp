#include "services/planner/rules/edit/json_layout.h"

#include <algorithm>

namespace da::planner::rules {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kMaxIndent = 8;
constexpr const char* kUsualIndent = "  ";

std::size_t skip(std::string_view text, std::size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

std::size_t end_of_string(std::string_view text, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t end_of_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) break;
  }
  return at;
}

std::string dump(const Document& value, int indent, char character, const Layout& layout) {
  return value.dump(indent, character, layout.only_ascii, Document::error_handler_t::replace);
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

Span value_at(std::string_view text, std::size_t at) {
  const std::size_t begin = skip(text, at, kSpace);
  if (begin == text.size()) return {begin, begin};
  if (text[begin] == '"') return {begin, end_of_string(text, begin)};
  if (text[begin] == '{' || text[begin] == '[') return {begin, end_of_container(text, begin)};
  return {begin, std::min(text.find_first_of(" \t\r\n,]}", begin), text.size())};
}

std::vector<Span> items_of(std::string_view text, Span span) {
  std::vector<Span> items;
  std::size_t at = skip(text, span.begin + 1, kSpace);
  while (at < span.end && text[at] != ']') {
    items.push_back(value_at(text, at));
    at = skip(text, items.back().end, " \t\r\n,");
  }
  return items;
}

std::vector<MemberSpan> members_of(std::string_view text, Span span) {
  std::vector<MemberSpan> members;
  std::size_t at = skip(text, span.begin + 1, kSpace);
  while (at < span.end && text[at] == '"') {
    const Span key = value_at(text, at);
    const Span value = value_at(text, skip(text, key.end, " \t\r\n:"));
    const auto name = Document::parse(text.substr(key.begin, key.end - key.begin), nullptr, false);
    members.push_back({name.is_string() ? name.get<std::string>() : std::string(), {key.begin, value.end}, value});
    at = skip(text, value.end, " \t\r\n,");
  }
  return members;
}

Layout layout_of(std::string_view text) {
  Layout layout;
  const std::size_t line = text.find('\n');
  if (line != std::string_view::npos && line > 0 && text[line - 1] == '\r') layout.line_end = "\r\n";
  layout.only_ascii = text.find("\\u") != std::string_view::npos &&
                      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const std::string_view content = text.substr(0, text.find_last_not_of(kSpace) + 1);
  if (content.find('\n') == std::string_view::npos) return layout;
  layout.indent = kUsualIndent;
  for (std::size_t at = line; at < content.size(); at = content.find('\n', at + 1)) {
    const std::size_t end = skip(content, at + 1, " \t");
    if (end == at + 1) continue;
    layout.indent = content.substr(at + 1, std::min(end - at - 1, kMaxIndent));
    break;
  }
  return layout;
}

std::string indent_at(std::string_view text, std::size_t at) {
  const std::size_t begin = text.substr(0, at).rfind('\n') + 1;  // 0 in the first line.
  return std::string(text.substr(begin, std::min(skip(text, begin, " \t"), at) - begin));
}

std::string lines_of(const Document& value, const Layout& layout, const std::string& base) {
  const char character = layout.indent.empty() ? ' ' : layout.indent.front();
  std::string lines = dump(value, static_cast<int>(layout.indent.size()), character, layout);
  replace_all(lines, "\n", layout.line_end + base);  // JSON escapes line ends in texts.
  return lines;
}

std::string line_of(const Document& value, const Layout& layout, std::string_view like) {
  if (!value.is_object()) return dump(value, -1, ' ', layout);
  const std::size_t colon = like.starts_with('{') ? like.find("\":") : std::string_view::npos;
  const bool compact = colon != std::string_view::npos && colon + 2 < like.size() && like[colon + 2] != ' ';
  const std::string pad = like.starts_with("{ ") ? " " : "";
  std::string line = "{" + pad;
  for (const auto& [key, member] : value.items()) {
    if (line.size() > 1 + pad.size()) line += compact ? "," : ", ";
    line += dump(key, -1, ' ', layout) + (compact ? ":" : ": ") + dump(member, -1, ' ', layout);
  }
  return line + pad + "}";
}

}  // namespace da::planner::rules
