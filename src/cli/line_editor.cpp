#include "cli/line_editor.hpp"

#include "cli/interruption.hpp"
#include "cli/wide_text.hpp"

#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <histedit.h>
#include <iostream>
#include <langinfo.h>
#include <termios.h>
#include <unistd.h>

namespace parley::cli {
namespace {

constexpr std::wstring_view paste_end = L"\x1b[201~";

constexpr std::string_view mark_pastes = "\x1b[?2004h";
constexpr std::string_view leave_pastes = "\x1b[?2004l";

volatile std::sig_atomic_t was_resized = 0;
termios editing{};  // The terminal mode of the editor; set before the handler.

void note_resize(int) { was_resized = 1; }

// After Ctrl-Z and `fg`: the shell changed the terminal mode, and libedit does not notice.
void take_terminal_again(int)
{
    const int error = errno;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &editing);
    static_cast<void>(!::write(STDOUT_FILENO, mark_pastes.data(), mark_pastes.size()));
    errno = error;
}

// libedit reads and shows characters in the encoding of the locale.
void use_utf8()
{
    std::setlocale(LC_CTYPE, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

wchar_t* prompt(EditLine*)
{
    static std::array<wchar_t, 3> text = {L'>', L' ', L'\0'};
    return text.data();
}

}  // namespace

struct LineEditor::Terminal {
    Terminal()
    {
        use_utf8();
        edit = el_init("parley", stdin, stdout, stderr);
        past = history_winit();
        if (!edit || !past) return;
        HistEventW event{};
        history_w(past, &event, H_SETSIZE, static_cast<int>(ChatHistory::max_entries));
        el_wset(edit, EL_CLIENTDATA, this);
        el_wset(edit, EL_PROMPT, prompt);
        el_wset(edit, EL_EDITOR, L"emacs");
        el_wset(edit, EL_HIST, history_w, past);
        el_wset(edit, EL_GETCFN, next_character);
        el_wset(edit, EL_ADDFN, L"parley-paste", L"Insert pasted text", insert_paste);
        el_wset(edit, EL_BIND, L"\\e[200~", L"parley-paste", nullptr);
        el_wset(edit, EL_BIND, L"^R", L"em-inc-search-prev", nullptr);
        // CR and LF arrive unchanged; by default libedit exchanges them.
        el_wset(edit, EL_SETTY, L"-d", L"-icrnl", L"-inlcr", nullptr);
        take();
        std::cout << mark_pastes << std::flush;
        handle(SIGWINCH, note_resize, resize_before_);
        handle(SIGCONT, take_terminal_again, continue_before_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal()
    {
        if (edit && past) {
            sigaction(SIGWINCH, &resize_before_, nullptr);
            sigaction(SIGCONT, &continue_before_, nullptr);
            std::cout << leave_pastes << std::flush;
        }
        if (edit) el_end(edit);
        if (past) history_wend(past);
    }

    // From now on the terminal neither echoes nor waits for whole lines. This starts before the
    // prompt, so that the first key is edited, too, and stays on during an answer, so that keys do
    // not mix with it but wait for the next line. Ctrl-C is always a signal.
    void take() const
    {
        el_wset(edit, EL_PREP_TERM, 1);
        ::tcgetattr(STDIN_FILENO, &editing);
    }

    void remember(const std::string& line)
    {
        HistEventW event{};
        history_w(past, &event, H_ENTER, to_wide(line).c_str());
    }

    // -1 at the end of the input.
    int next_byte()
    {
        if (at_ == size_) {
            if (!Interruption::waits_for_input(STDIN_FILENO)) return -1;
            const ssize_t got = ::read(STDIN_FILENO, bytes_.data(), bytes_.size());
            at_ = 0;
            size_ = got > 0 ? static_cast<std::size_t>(got) : 0;
            if (size_ == 0) return -1;
        }
        return static_cast<unsigned char>(bytes_.at(at_++));
    }

    bool next(wchar_t& character)
    {
        const int first = next_byte();
        if (first < 0) return false;
        std::string sequence(1, static_cast<char>(first));
        const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
        while (sequence.size() < length) {
            const int byte = next_byte();
            if (byte < 0) return false;
            sequence += static_cast<char>(byte);
        }
        character = to_wide(sequence).front();
        return true;
    }

    static Terminal& of(EditLine* edit)
    {
        void* self = nullptr;
        el_wget(edit, EL_CLIENTDATA, &self);
        return *static_cast<Terminal*>(self);
    }

    static bool is_full(EditLine* edit)
    {
        const LineInfoW* const line = el_wline(edit);
        return static_cast<std::size_t>(line->lastchar - line->buffer) >= max_characters;
    }

    static int next_character(EditLine* edit, wchar_t* character)
    {
        Terminal& self = of(edit);
        if (was_resized != 0) {
            was_resized = 0;
            el_resize(edit);
        }
        while (self.next(*character)) {
            if (!is_full(edit) || *character < L' ' || *character == 0x7f) return 1;
            self.was_cut = true;
        }
        const LineInfoW* const line = el_wline(edit);
        self.had_text = line->lastchar > line->buffer;
        return 0;
    }

    static unsigned char insert_paste(EditLine* edit, wint_t)
    {
        Terminal& self = of(edit);
        std::wstring pasted;
        wchar_t character = 0;
        while (!pasted.ends_with(paste_end)) {
            if (!self.next(character)) {
                self.had_text = true;
                return CC_EOF;
            }
            // Reads to the end of the paste, whatever its size; keeps the text up to the limit.
            if (pasted.size() >= max_characters) {
                pasted.erase(0, max_characters / 2);
                self.was_cut = true;
            }
            pasted += character;
        }
        pasted.resize(pasted.size() - paste_end.size());
        if (el_winsertstr(edit, with_line_feeds(pasted).c_str()) != 0) return CC_ERROR;
        return CC_REFRESH;
    }

    EditLine* edit = nullptr;
    HistoryW* past = nullptr;
    bool had_text = false;
    bool was_cut = false;

private:
    static void handle(int signal, void (*handler)(int), struct sigaction& before)
    {
        struct sigaction action{};
        action.sa_handler = handler;
        sigaction(signal, &action, &before);
    }

    struct sigaction resize_before_{};
    struct sigaction continue_before_{};
    std::array<char, 4096> bytes_{};
    std::size_t at_ = 0;
    std::size_t size_ = 0;
};

bool LineEditor::is_possible() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

LineEditor::LineEditor(ChatHistory& history)
    : history_(history), terminal_(std::make_unique<Terminal>())
{
    if (!terminal_->past) return;
    for (const auto& line : history.entries()) terminal_->remember(line);
}

LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read()
{
    if (!terminal_->edit || !terminal_->past) return std::nullopt;
    for (;;) {
        terminal_->had_text = terminal_->was_cut = false;
        int count = 0;
        const wchar_t* const typed = el_wgets(terminal_->edit, &count);
        terminal_->take();
        if (!typed || count <= 0) {
            if (!terminal_->had_text || !Interruption::was_asked_for() || Interruption::is_final())
                return std::nullopt;
            Interruption::forget();
            std::cout << "^C\n" << std::flush;
            continue;
        }
        std::string line = to_utf8({typed, static_cast<std::size_t>(count)});
        if (line.ends_with('\n')) line.pop_back();
        if (terminal_->was_cut) {
            std::cerr << "The text is too long and was not sent.\n";
            continue;
        }
        if (line.empty()) continue;
        if (history_.add(line)) terminal_->remember(line);
        return line;
    }
}

}  // namespace parley::cli
