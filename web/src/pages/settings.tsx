// The user's own account.
import { useEffect, useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { Limit } from "../api/types";
import { left } from "../api/limits";
import { noteUser, user } from "../auth/login";
import { chooseLanguage, language, LANGUAGES, words, type Language } from "../text";
import { ErrorNote, useCountdown } from "../ui/errors";
import { Field, Form, PasswordField, Select, textOfField } from "../ui/form";
import { chooseTheme, theme, type Theme } from "../ui/theme";
import { toast } from "../ui/toasts";
import { Page } from "./page";
import { SecondFactor } from "./second_factor";
import { settingsTabs } from "./tabs";

function Appearance() {
  const t = words();
  return (
    <section class="card">
      <h2>{t.appearance}</h2>
      <div class="row-form">
        <Select label={t.theme} name="theme" value={theme.value} onChange={(next) => chooseTheme(next as Theme)}
                options={[["system", t.themeSystem], ["light", t.themeLight], ["dark", t.themeDark]]} />
        <Select label={t.languageLabel} name="language" value={language.value} onChange={(next) => void chooseLanguage(next as Language)}
                options={Object.entries(LANGUAGES)} />
      </div>
    </section>
  );
}

function Profile() {
  const t = words();
  const me = user.value;
  const submit = async (fields: FormData) => {
    await noteUser(await calls.me.rename(textOfField(fields, "display_name").trim()));
    toast(t.saved);
  };
  return (
    <section class="card">
      <h2>{t.profile}</h2>
      <p class="lead">{me?.username} · {me?.role === "operator" ? t.operator : t.member}</p>
      <Form button={t.save} submit={submit} shownInFields={["display_name"]} fields={(problem) =>
        <Field label={t.displayName} name="display_name" autocomplete="name" maxLength={128} required defaultValue={me?.display_name} error={problem?.faultOf("display_name")} />} />
    </section>
  );
}

function Password() {
  const t = words();
  const [round, setRound] = useState(0);
  const submit = async (fields: FormData) => {
    await calls.me.password(textOfField(fields, "current_password"), textOfField(fields, "new_password"));
    setRound(round + 1); // Empties the fields.
    toast(t.passwordChanged);
  };
  return (
    <section class="card">
      <h2>{t.changePassword}</h2>
      <Form key={round} button={t.changePassword} submit={submit} shownInFields={["current_password", "new_password"]} fields={(problem) => <>
        <PasswordField label={t.currentPassword} name="current_password" autocomplete="current-password" required error={problem?.faultOf("current_password")} />
        <PasswordField label={t.newPassword} name="new_password" autocomplete="new-password" required minLength={8} hint={t.passwordHint} error={problem?.faultOf("new_password")} />
      </>} />
    </section>
  );
}

export function AccountPage() {
  const t = words();
  return <Page title={t.account} tabs={settingsTabs("")}><Profile /><Appearance /><Password /><SecondFactor /></Page>;
}

function LimitRow({ limit, at }: { limit: Limit; at: number }) {
  const t = words();
  const told = left.value[limit.class]; // Values of later responses are newer.
  const remaining = told?.remaining ?? limit.remaining;
  const seconds = useCountdown(told?.freeAt ?? at + limit.reset_seconds * 1000);
  const name = t.limitClass[limit.class] ?? limit.class;
  return (
    <div class="limit">
      <div class="limit-words"><span>{name}</span><span class="fine">{t.limitLeft(remaining, limit.limit)}{remaining < limit.limit && seconds > 0 && ` · ${t.limitNext(seconds)}`}</span></div>
      <meter aria-label={name} min={0} max={limit.limit} low={limit.limit * 0.2} optimum={limit.limit} value={remaining} />
    </div>
  );
}

export function LimitsPage() {
  const t = words();
  const [limits, setLimits] = useState<{ data: Limit[]; at: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    calls.me.limits().then(({ data }) => setLimits({ data, at: Date.now() }), setError);
  }, []);
  return (
    <Page title={t.limits} lead={t.limitsLead} tabs={settingsTabs("limits")}>
      <ErrorNote error={error} />
      {!limits && !error && <p class="lead">{t.loading}</p>}
      {limits && <section class="card">{limits.data.map((limit) => <LimitRow key={limit.class} limit={limit} at={limits.at} />)}</section>}
    </Page>
  );
}
