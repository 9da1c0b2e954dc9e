#include "auth/account_faults.hpp"

#include "auth/names.hpp"
#include "auth/password_strength.hpp"
#include "base/normal_form.hpp"

namespace parley::auth {
namespace {

template <class T>
void add_if_refused(const Judged<T>& judged, std::string where, Faults& faults)
{
    if (!judged) faults.push_back({std::move(where), judged.error().code, judged.error().detail});
}

}  // namespace

void check_username(std::string_view text, Faults& faults)
{
    add_if_refused(read_name(text), "#/username", faults);
}

void check_display_name(std::string_view text, Faults& faults)
{
    add_if_refused(read_display_name(text), "#/display_name", faults);
}

void check_password_length(std::string_view password, std::string where, Faults& faults)
{
    const Secret given(password);
    auto length = judge_length(given);
    // As it is hashed: accents that were sent as characters of their own do not count.
    if (length) length = judge_length(composed(given));
    add_if_refused(length, std::move(where), faults);
}

}  // namespace parley::auth
