// Tokens for programs, and the logins of the user.
import { useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { Token } from "../api/types";
import { isOperator, isThisLogin } from "../auth/login";
import { formatDate, formatTime, words } from "../text";
import { Dialog } from "../ui/dialog";
import { Field, Form, Select, textOfField } from "../ui/form";
import { Plus } from "../ui/icons";
import { Confirm, ListFoot, Secret } from "./list_parts";
import { useListing, type Listing } from "./listing";
import { Page } from "./page";
import { settingsTabs } from "./tabs";

const DAY = 86_400_000;

function NewToken({ close, made }: { close: () => void; made: (token: Token) => void }) {
  const t = words();
  const [token, setToken] = useState<Token | null>(null);
  const scopes = ["chat:read", "chat:write", "automation:read", "automation:write", "account", ...(isOperator() ? ["admin"] : [])];
  const submit = async (fields: FormData) => {
    const days = Number(textOfField(fields, "days"));
    const created = await calls.tokens.create({
      name: textOfField(fields, "name").trim(),
      scopes: fields.getAll("scope").map(String),
      expires_at: days ? new Date(Date.now() + days * DAY).toISOString() : null,
      ...(fields.get("test") && { test: true }),
    });
    setToken(created);
    const { token: _secret, ...rest } = created;
    made(rest);
  };
  if (token?.token)
    return <Dialog title={token.name} close={close}><Secret text={token.token} lead={t.tokenMade} /><div class="buttons"><button type="button" class="quiet" onClick={close}>{t.done}</button></div></Dialog>;
  return (
    <Dialog title={t.newToken} close={close}>
      <Form button={t.create} cancel={close} submit={submit} shownInFields={["name"]} fields={(problem) => <>
        <Field label={t.tokenName} name="name" required maxLength={128} hint={t.tokenNameHint} error={problem?.faultOf("name")} autofocus />
        <fieldset>
          <legend>{t.scopes}</legend>
          {scopes.map((scope) => (
            <label class="check" key={scope}><input type="checkbox" name="scope" value={scope} defaultChecked={scope.startsWith("chat:")} /><span>{t.scope[scope]} <code class="fine">{scope}</code></span></label>
          ))}
        </fieldset>
        <Select label={t.expires} name="days" value="90" options={[["30", t.inDays(30)], ["90", t.inDays(90)], ["365", t.inDays(365)], ["0", t.never]]} />
        <label class="check"><input type="checkbox" name="test" /><span>{t.testToken}</span></label>
      </>} />
    </Dialog>
  );
}

function About({ token }: { token: Token }) {
  const t = words();
  const parts = [
    `${t.created} ${formatDate(token.created_at)}`,
    `${t.lastUsed}: ${token.last_used_at ? formatTime(token.last_used_at) : t.never}`,
    `${t.expires}: ${token.expires_at ? formatDate(token.expires_at) : t.never}`,
  ];
  return <p class="fine">{parts.join(" · ")}</p>;
}

function TokenRows({ listing, rows, login }: { listing: Listing<Token>; rows: Token[]; login: boolean }) {
  const t = words();
  const [asked, setAsked] = useState<Token | null>(null);
  const revoke = async (token: Token) => {
    await calls.tokens.revoke(token.id);
    listing.change((all) => all.filter((each) => each.id !== token.id));
  };
  return (
    <ul class="rows">
      {rows.map((token) => (
        <li key={token.id}>
          <div class="row-words">
            <p><b dir="auto">{token.name || t.kind[token.kind]}</b> <code class="fine">{token.hint}</code>{login && isThisLogin(token.hint) && <span class="badge">{t.thisDevice}</span>}{token.kind === "test" && <span class="badge">{t.kind["test"]}</span>}</p>
            <About token={token} />
            {!login && <p class="fine">{token.scopes.join(" · ")}</p>}
          </div>
          <button type="button" class="quiet" onClick={() => setAsked(token)}>{login ? t.endLogin : t.revoke}</button>
        </li>
      ))}
      {asked && <Confirm title={(login ? t.endLoginTitle : t.revokeTitle)(asked.name)} lead={login ? t.endLoginLead : t.revokeLead} button={login ? t.endLogin : t.revoke}
                         run={() => revoke(asked)} close={() => setAsked(null)} />}
    </ul>
  );
}

export function TokensPage({ logins }: { logins: boolean }) {
  const t = words();
  const listing = useListing<Token>(calls.tokens.list, "tokens");
  const [making, setMaking] = useState(false);
  const rows = listing.rows.filter((token) => (token.kind === "login") === logins);
  return (
    <Page title={logins ? t.logins : t.tokens} lead={logins ? t.loginsLead : t.tokensLead} tabs={settingsTabs(logins ? "logins" : "tokens")}
          action={!logins && <button type="button" class="primary with-icon" onClick={() => setMaking(true)}><Plus size={18} />{t.newToken}</button>}>
      {rows.length > 0 && <TokenRows listing={listing} rows={rows} login={logins} />}
      <ListFoot listing={{ ...listing, rows: rows as Token[] }} empty={t.noTokens} />
      {making && <NewToken close={() => setMaking(false)} made={(token) => listing.change((all) => [token, ...all])} />}
    </Page>
  );
}
