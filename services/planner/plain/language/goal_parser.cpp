#include "services/planner/plain/language/goal_parser.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "lib/contract/json/parse.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/plain/language/condition_parser.h"
#include "services/planner/plain/language/goal_values.h"
#include "services/planner/plain/language/sentence_parser.h"

namespace da::planner::plain {
namespace {

constexpr double kOptionalSeconds = 3;
constexpr double kConditionSeconds = 1;
constexpr std::uint32_t kUsualRounds = 100;
constexpr std::uint32_t kMaxRounds = 1'000;
constexpr std::size_t kMaxDepth = 16;  // Depth of nested blocks.

using Form = contract::GoalSentence;

class GoalParser {
 public:
  explicit GoalParser(std::span<const RawSentence> raw) : raw_(raw) {}

  Result<Goal> run() {
    while (next_ < raw_.size()) RETURN_IF_ERROR(statement(0));
    RETURN_IF_ERROR(check_names());
    return std::move(goal_);
  }

 private:
  using Kind = RawSentence::Kind;

  Result<void> statement(std::size_t depth) {
    const RawSentence& raw = raw_[next_++];
    if (raw.kind == Kind::kHeader) return block(raw, depth + 1);
    if (is_word(raw, 0, "repeat")) return no_colon(raw, Form::kRepeat);
    if (is_word(raw, 0, "if")) return no_colon(raw, Form::kIf);
    if (is_word(raw, 0, "while")) return no_colon(raw, Form::kWhile);
    if (is_word(raw, 0, "optional")) return no_colon(raw, Form::kOptional);
    ASSIGN_OR_RETURN(Sentence sentence, parse_sentence(raw));
    return add(std::move(sentence), raw);
  }

  static Error no_colon(const RawSentence& raw, Form form) {
    return goal_error(raw.end,
                      "expected \":\" and a sentence on the same line. Syntax: " + std::string(syntax_of(form)));
  }

  Result<void> block(const RawSentence& header, std::size_t depth) {
    if (depth > kMaxDepth) {
      return goal_error(header.tokens.front().at, "blocks are nested more than " + std::to_string(kMaxDepth) + " deep");
    }
    if (is_word(header, 0, "repeat")) return repeat(header, depth);
    if (is_word(header, 0, "if")) return condition(header, depth);
    if (is_word(header, 0, "while")) return loop(header, depth);
    return optional(header, depth);
  }

  // The lexer guarantees a body after each header, and matching braces.
  Result<void> body(std::size_t depth) {
    if (raw_[next_].kind != Kind::kOpen) return statement(depth);
    ++next_;
    while (raw_[next_].kind != Kind::kClose) RETURN_IF_ERROR(statement(depth));
    ++next_;
    return ok();
  }

  Result<void> repeat(const RawSentence& header, std::size_t depth) {
    SentenceReader in(header, syntax_of(Form::kRepeat));
    in.accept({"repeat"});
    const Position at = in.position();
    ASSIGN_OR_RETURN(const double times, in.number());
    if (times < 1 || times > kMaxCarriedOut || times != std::floor(times)) {
      return in.problem(at, "a block is repeated 1 to " + std::to_string(kMaxCarriedOut) + " whole times");
    }
    if (!in.accept({"times", "time"})) return in.expected("\"times\"");
    RETURN_IF_ERROR(in.expect_end());
    const std::size_t begin = goal_.size();
    RETURN_IF_ERROR(body(depth));
    const std::size_t length = goal_.size() - begin;
    const auto count = static_cast<std::size_t>(times);
    if (begin + length * count > kMaxCarriedOut) return too_many(header);
    goal_.reserve(begin + length * count);
    for (std::size_t again = 1; again < count; ++again) {
      for (std::size_t i = 0; i < length; ++i) goal_.push_back(Sentence(goal_[begin + i]));
    }
    return ok();
  }

  Result<void> condition(const RawSentence& header, std::size_t depth) {
    SentenceReader in(header, syntax_of(Form::kIf));
    in.accept({"if"});
    const Position at = in.position();
    ASSIGN_OR_RETURN(const auto within, in.take_within());
    ASSIGN_OR_RETURN(Check check, parse_condition(in));
    RETURN_IF_ERROR(in.expect_end());
    if (const auto valid = contract::validate(draft_action(check)); !valid) {
      return in.problem(at, valid.error().message);
    }
    const std::size_t begin = goal_.size();
    RETURN_IF_ERROR(add(sentence_of(If{std::move(check), within.value_or(kConditionSeconds), 0}, header), header));
    RETURN_IF_ERROR(body(depth));
    std::get<If>(goal_[begin].command).sentences = goal_.size() - begin - 1;
    return ok();
  }

  Result<void> loop(const RawSentence& header, std::size_t depth) {
    SentenceReader in(header, syntax_of(Form::kWhile));
    in.accept({"while"});
    const Position at = in.position();
    ASSIGN_OR_RETURN(const auto rounds, in.take_rounds());
    const double most = rounds.value_or(kUsualRounds);
    if (most < 1 || most > kMaxRounds || most != std::floor(most)) {
      return in.problem(at, "a loop has 1 to " + std::to_string(kMaxRounds) + " whole rounds");
    }
    ASSIGN_OR_RETURN(Check check, parse_condition(in));
    RETURN_IF_ERROR(in.expect_end());
    if (const auto valid = contract::validate(draft_action(check)); !valid) {
      return in.problem(at, valid.error().message);
    }
    const std::size_t begin = goal_.size();
    const While loop{std::move(check), 0, static_cast<std::uint32_t>(most)};
    RETURN_IF_ERROR(add(sentence_of(loop, header), header));
    RETURN_IF_ERROR(body(depth));
    const std::size_t sentences = goal_.size() - begin;
    RETURN_IF_ERROR(add(sentence_of(EndWhile{sentences}, header), header));
    std::get<While>(goal_[begin].command).sentences = sentences;
    return ok();
  }

  Result<void> optional(const RawSentence& header, std::size_t depth) {
    SentenceReader in(header, syntax_of(Form::kOptional));
    in.accept({"optional"});
    ASSIGN_OR_RETURN(const auto within, in.take_within());
    RETURN_IF_ERROR(in.expect_end());
    const std::size_t begin = goal_.size();
    RETURN_IF_ERROR(body(depth));
    for (std::size_t i = begin; i < goal_.size(); ++i) {
      if (goal_[i].optional.left == 0) goal_[i].optional = {goal_.size() - i, within.value_or(kOptionalSeconds)};
    }
    return ok();
  }

  Result<void> add(Sentence sentence, const RawSentence& raw) {
    if (goal_.size() == kMaxCarriedOut) return too_many(raw);
    goal_.push_back(std::move(sentence));
    return ok();
  }

  // A name must be copied before it is used. Other names in braces are text.
  Result<void> check_names() const {
    std::vector<std::string> copied;
    for (const Sentence& each : goal_) {
      if (const auto* copy = std::get_if<Copy>(&each.command)) copied.push_back(copy->name);
    }
    std::vector<std::string> known;
    for (const Sentence& each : goal_) {
      for (const std::string& name : names_used(each.command)) {
        const bool later =
            std::ranges::find(known, name) == known.end() && std::ranges::find(copied, name) != copied.end();
        if (!later) continue;
        return goal_error({each.line, each.column}, "{{" + name + "}} is used before \"copy ... as " + name + "\"");
      }
      if (const auto* copy = std::get_if<Copy>(&each.command)) known.push_back(copy->name);
    }
    return ok();
  }

  static Error too_many(const RawSentence& raw) {
    return goal_error(raw.tokens.front().at, "with its repetitions a goal has at most " +
                                                 std::to_string(kMaxCarriedOut) + " sentences; split it");
  }

  std::span<const RawSentence> raw_;
  std::size_t next_ = 0;
  Goal goal_;
};

}  // namespace

Result<Goal> parse_goal(std::string_view text) {
  ASSIGN_OR_RETURN(const auto sentences, split_goal(text));
  if (sentences.empty()) return goal_error({}, "the goal is empty; write what to do, such as: open mousepad");
  return GoalParser(sentences).run();
}

}  // namespace da::planner::plain
