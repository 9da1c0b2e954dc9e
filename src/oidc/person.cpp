#include "oidc/person.hpp"

#include "oidc/text_member.hpp"

#include <algorithm>
#include <string_view>

namespace parley::oidc {
namespace {

bool needs_groups(const Options& options)
{
    return !options.operator_groups.empty() || !options.allowed_groups.empty();
}

bool is_named_in(std::string_view group, const std::vector<std::string>& groups)
{
    return std::ranges::find(groups, group) != groups.end();
}

// The claim is a list of texts; some providers send one text instead of a list of one.
bool is_in_one_of(const boost::json::object& claims, const std::string& claim,
                  const std::vector<std::string>& groups)
{
    const auto* value = claims.if_contains(claim);
    if (!value) return false;
    if (const auto* text = value->if_string()) return is_named_in(*text, groups);
    const auto* list = value->if_array();
    return list && std::ranges::any_of(*list, [&](const boost::json::value& each) {
               return each.is_string() && is_named_in(each.get_string(), groups);
           });
}

}  // namespace

bool is_complete(const boost::json::object& claims, const Options& options)
{
    const bool has_name = text_member(claims, "preferred_username") || text_member(claims, "email");
    return has_name && (!needs_groups(options) || claims.contains(options.groups_claim));
}

Result<Person> person_of(const boost::json::object& claims, const Options& options)
{
    const auto is_in = [&](const std::vector<std::string>& groups) {
        return is_in_one_of(claims, options.groups_claim, groups);
    };
    const bool is_operator = is_in(options.operator_groups);
    if (!options.allowed_groups.empty() && !is_operator && !is_in(options.allowed_groups))
        return Error{Errc::invalid_credentials,
                     "You are not in a group that may use this server. Ask its operator.",
                     "in none of oidc.allowed_groups"};
    Person person{.subject = std::string(text_member(claims, "sub").value_or(""))};
    if (const auto name = text_member(claims, "preferred_username"))
        person.names.emplace_back(*name);
    if (const auto email = text_member(claims, "email"))
        person.names.emplace_back(email->substr(0, email->find('@')));
    person.display_name = text_member(claims, "name").value_or("");
    if (!options.operator_groups.empty())
        person.role = is_operator ? Role::operator_ : Role::member;
    return person;
}

}  // namespace parley::oidc
