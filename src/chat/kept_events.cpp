#include "chat/kept_events.hpp"

#include "base/json.hpp"

#include <memory>
#include <new>
#include <utility>
#include <zlib.h>

namespace parley::chat {
namespace {

constexpr char format = 1;

// Deltas take one or two bytes each, and the other events little more than the metadata of a
// question.
constexpr std::size_t max_recipe = std::size_t{64} * 1024 * 1024;

// For shorter texts a reference saves nothing.
constexpr std::size_t least_text = 24;

// A recipe is a sequence of items. Each begins with a number whose lowest bit is its kind:
//   a delta:  its size in bytes · 0
//   a frame:  the number of pieces that follow · 1
// and each piece of a frame begins with such a number, too:
//   bytes:    the number of bytes that follow · 0
//   a text:   its index, to be written as a JSON string · 1 (0: the answer; n: part n of the
//   question)
constexpr std::uint64_t of_kind(std::uint64_t number, bool kind) { return number << 1U | kind; }

void append_number(std::string& out, std::uint64_t number)
{
    for (; number >= 0x80; number >>= 7U) out += static_cast<char>(number | 0x80U);
    out += static_cast<char>(number);
}

std::optional<std::uint64_t> take_number(std::string_view bytes, std::size_t& at)
{
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80) return number;
    }
    return std::nullopt;
}

const std::string* text_number(const store::RunWithMessages& whole, std::uint64_t number)
{
    if (number == 0)
        return whole.answer && !whole.answer->parts.empty() ? &whole.answer->parts.front()
                                                            : nullptr;
    const auto& parts = whole.question.parts;
    return number <= parts.size() ? &parts[number - 1] : nullptr;
}

class FrameWriter {
public:
    FrameWriter(std::string& out, const store::RunWithMessages& whole, std::string_view frame)
        : out_(out), whole_(whole), frame_(frame)
    {
    }

    void write()
    {
        // In the order of the texts in a frame.
        for (std::uint64_t part = 1; part <= whole_.question.parts.size(); ++part) refer_to(part);
        refer_to(0);
        add_bytes(frame_.substr(at_));
        append_number(out_, of_kind(count_, true));
        out_ += pieces_;
    }

private:
    // Searches for the text together with its name, so that a text that contains JSON cannot match
    // elsewhere.
    void refer_to(std::uint64_t number)
    {
        static constexpr std::string_view name = "\"text\":";
        const std::string* text = text_number(whole_, number);
        if (!text || text->size() < least_text) return;
        std::string wanted(name);
        json::append_quoted(wanted, *text);
        const std::size_t found = frame_.find(wanted, at_);
        if (found == frame_.npos) return;
        add_bytes(frame_.substr(at_, found + name.size() - at_));
        append_number(pieces_, of_kind(number, true));
        ++count_;
        at_ = found + wanted.size();
    }
    void add_bytes(std::string_view bytes)
    {
        append_number(pieces_, of_kind(bytes.size(), false));
        pieces_ += bytes;
        ++count_;
    }

    std::string& out_;
    const store::RunWithMessages& whole_;
    const std::string_view frame_;
    std::size_t at_ = 0;
    std::string pieces_;
    std::uint64_t count_ = 0;
};

std::optional<std::string> read_frame(std::string_view recipe, std::size_t& at,
                                      std::uint64_t pieces, const store::RunWithMessages& whole)
{
    std::string frame;
    for (; pieces > 0; --pieces) {
        const auto piece = take_number(recipe, at);
        if (!piece) return std::nullopt;
        const std::uint64_t number = *piece >> 1U;
        if ((*piece & 1U) != 0) {
            const std::string* text = text_number(whole, number);
            if (!text) return std::nullopt;
            json::append_quoted(frame, *text);
        } else {
            if (number > recipe.size() - at) return std::nullopt;
            frame += recipe.substr(at, number);
            at += number;
        }
    }
    return frame;
}

}  // namespace

void DeltaSizes::add(std::size_t bytes)
{
    append_number(recipe_, of_kind(bytes, false));
    ++count_;
}

std::string keep_events(const store::RunWithMessages& ended, const RunEvent& first,
                        const DeltaSizes& deltas, const RunEvent& last)
{
    std::string recipe;
    FrameWriter(recipe, ended, *first.bytes).write();
    recipe += deltas.recipe();
    FrameWriter(recipe, ended, *last.bytes).write();

    std::string kept(1, format);
    append_number(kept, recipe.size());
    const std::size_t begin = kept.size();
    uLongf size = ::compressBound(recipe.size());
    kept.resize(begin + size);
    const int done = ::compress2(reinterpret_cast<Bytef*>(kept.data() + begin), &size,
                                 reinterpret_cast<const Bytef*>(recipe.data()), recipe.size(),
                                 Z_DEFAULT_COMPRESSION);
    if (done != Z_OK) throw std::bad_alloc();  // The arguments rule out all other errors.
    kept.resize(begin + size);
    return kept;
}

std::optional<KeptEvents> KeptEvents::open(std::string_view kept,
                                           const store::RunWithMessages& ended)
{
    if (!kept.starts_with(format)) return std::nullopt;
    std::size_t at = 1;
    const auto size = take_number(kept, at);
    if (!size || *size > max_recipe) return std::nullopt;
    Recipe recipe{.items = std::string(*size, '\0')};
    uLongf read = recipe.items.size();
    const int done =
        ::uncompress(reinterpret_cast<Bytef*>(recipe.items.data()), &read,
                     reinterpret_cast<const Bytef*>(kept.data() + at), kept.size() - at);
    if (done != Z_OK || read != recipe.items.size()) return std::nullopt;
    if (!make_frames(recipe, ended)) return std::nullopt;
    return KeptEvents(std::make_shared<const Recipe>(std::move(recipe)));
}

// False if the bytes were damaged.
bool KeptEvents::make_frames(Recipe& recipe, const store::RunWithMessages& ended)
{
    for (std::size_t at = 0; at < recipe.items.size();) {
        const std::size_t begin = at;
        const auto item = take_number(recipe.items, at);
        if (!item) return false;
        if ((*item & 1U) == 0) continue;
        auto frame = read_frame(recipe.items, at, *item >> 1U, ended);
        if (!frame) return false;
        recipe.frames[begin] = {std::make_shared<const std::string>(std::move(*frame)), at};
    }
    return !recipe.frames.empty();
}

std::size_t KeptEvents::bytes() const
{
    std::size_t bytes = recipe_->items.size();
    for (const auto& [at, frame] : recipe_->frames) bytes += frame.bytes->size();
    return bytes;
}

// An event that the reader already has is skipped without copying its text.
KeptEvents::Step KeptEvents::make_next(const store::RunWithMessages& ended, std::int64_t after,
                                       RunEvent& event)
{
    if (unsent_) {
        event = *std::exchange(unsent_, std::nullopt);
        return event.number > after ? Step::made : Step::skipped;
    }
    if (at_ == recipe_->items.size()) return Step::at_end;
    ++number_;
    if (const auto frame = recipe_->frames.find(at_); frame != recipe_->frames.end()) {
        at_ = frame->second.end;
        event = {number_, number_ == 1 ? RunEvent::Type::created : RunEvent::Type::ended,
                 frame->second.bytes};
        return number_ > after ? Step::made : Step::skipped;
    }
    const auto item = take_number(recipe_->items, at_);
    if (!item) return Step::damaged;
    const std::uint64_t size = *item >> 1U;
    const std::string* answer = text_number(ended, 0);
    if (!answer || size > answer->size() - text_at_) return Step::damaged;
    const std::size_t from = std::exchange(text_at_, text_at_ + size);
    if (number_ <= after) return Step::skipped;
    event = {number_, RunEvent::Type::delta,
             std::make_shared<const std::string>(answer->substr(from, size))};
    return Step::made;
}

std::optional<std::vector<RunEvent>> KeptEvents::next(const store::RunWithMessages& ended,
                                                      std::int64_t after, std::size_t max_cost)
{
    std::vector<RunEvent> events;
    std::size_t cost = 0;
    for (;;) {
        RunEvent event;
        const Step step = make_next(ended, after, event);
        if (step == Step::damaged) return std::nullopt;
        if (step == Step::at_end) return events;
        if (step == Step::skipped) continue;
        cost += event.cost();
        if (!events.empty() && cost > max_cost) {
            unsent_ = std::move(event);
            return events;
        }
        events.push_back(std::move(event));
    }
}

}  // namespace parley::chat
