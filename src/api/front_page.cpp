#include "api/front_page.hpp"

#include "api/html.hpp"

namespace parley::api {
namespace {

// The set-up code stands behind the # of the link: a browser keeps that to itself, so it is in no
// log and no Referer.
constexpr std::string_view script = R"js(
"use strict";
const byId = (id) => document.getElementById(id);
const clientToken = document.querySelector("meta[name=client-token]").content;
const setupCode = new URLSearchParams(location.hash.slice(1)).get("setup");
const shown = byId(setupCode ? "setup" : "login");
shown.hidden = false;

async function call(path, token, body) {
  const response = await fetch("/v1/api" + path, {
    method: "POST",
    headers: { "Authorization": "Bearer " + token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.errors ? answer.errors.map((e) => e.detail).join("; ") : answer.detail);
  return answer;
}

async function welcome(login) {
  byId("setup").hidden = byId("login").hidden = true;
  history.replaceState(null, "", location.pathname);
  byId("name").textContent = login.user.display_name;
  byId("welcome").hidden = false;
  byId("make").onclick = async () => {
    const made = await call("/tokens", login.access_token, { name: "first token" });
    byId("curl").textContent = "curl " + location.origin + "/v1/api/me -H 'Authorization: Bearer " + made.token + "'";
    byId("curl").hidden = false;
    byId("make").hidden = true;
  };
}

for (const form of document.forms) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const alert = form.querySelector("[role=alert]");
    const button = form.querySelector("button");
    alert.textContent = "";
    button.disabled = true;
    const body = Object.fromEntries(new FormData(form));
    try {
      if (form.id === "setup") await welcome(await call("/auth/setup", clientToken, { setup_code: setupCode, ...body }));
      else await welcome(await call("/auth/login", clientToken, body));
    } catch (error) {
      alert.textContent = error.message;
    }
    button.disabled = false;
  });
}
)js";

constexpr std::string_view forms = R"html(<h1>Parley</h1>
<noscript><p>This page needs JavaScript; the interface behind it does not.</p></noscript>
<form id="setup" hidden>
<p>Nobody looks after this server yet. Choose a name and a password, and you will.</p>
<label>User name <input name="username" autocomplete="username" required maxlength="128"></label>
<label>Password <input name="password" type="password" autocomplete="new-password" required minlength="8"></label>
<button>Become the operator</button><p role="alert"></p>
</form>
<form id="login" hidden>
<label>User name <input name="username" autocomplete="username" required maxlength="128"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button><p role="alert"></p>
</form>
<section id="welcome" hidden>
<p>Welcome, <b id="name"></b>.</p>
<p>Programs call this server with a token of yours. It is shown once.</p>
<button id="make">Make a token</button>
<pre id="curl" hidden></pre>
</section>
)html";

Result<http::Response> front_page(const FrontPage& front)
{
    std::string content = "<meta name=\"client-token\" content=\"";
    content.append(escape_html(front.client_token)).append("\">\n").append(forms);
    if (!front.contact.empty())
        content.append("<p class=\"status\">For an account, ask ")
            .append(escape_html(front.contact))
            .append(".</p>\n");
    if (!front.note.empty())
        content.append("<p class=\"status\">").append(escape_html(front.note)).append("</p>\n");
    content.append("<script>").append(script).append("</script>\n");
    return html_response(html_page("Log in", content), script);
}

}  // namespace

std::vector<Route> front_routes()
{
    return {route<front_page>("GET", "/", "Set up, or log in, with a browser", open,
                              answers_text("text/html", "The page."))};
}

}  // namespace parley::api
