// Requests and responses of /app.json and /app.
#pragma once

#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct WebAppView {
    std::string client_token;
    std::optional<std::string> contact;
    bool needs_setup = false;
    std::string default_model;
    std::optional<std::string> note;
    std::optional<std::string> demonstration_model;
    std::string version;
    std::optional<std::string> login_provider;

    static constexpr fields::SchemaInfo schema_info{"WebApp",
                                                    "Settings of the web app before a login."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = WebAppView;
        return std::tuple(
            field("client_token", &View::client_token,
                  "Client token: the app can only log in with it. Public by design."),
            field("contact", &View::contact, "Support contact.", example("ops@example.org")),
            field("needs_setup", &View::needs_setup, "True while this server has no operator."),
            field("default_model", &View::default_model, "The default model.", example("scripted")),
            field("note", &View::note, "A note about that model."),
            field("demonstration_model", &View::demonstration_model,
                  "Name of the built-in model, which is a demonstration; null: it is not offered.",
                  example("smollm2-135m")),
            field("version", &View::version, "The version of this server.", example("0.2.0")),
            field("login_provider", &View::login_provider,
                  "Name of the OpenID provider at which users can log in; null: there is none.",
                  example("Keycloak")));
    }
};

struct WebFilePath {
    std::string file;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("file", &WebFilePath::file, "The name of a file of the web app.",
                                example("icon.svg")));
    }
};

}  // namespace parley::api
