// All operations of the API that the app uses.
import { call, open } from "./http";
import type {
  AppSettings, AuditEvent, ContentPart, ImportResult, InvitedUser, Limit, List, Login, LoginAttempt, Message, Model, ResetLink, Run, SearchHit, Session, Token,
  TotpEnrolment, TotpState, User, UserLimits,
} from "./types";

const API = "v1/api";

export type Query = {
  message?: string | ContentPart[];
  session_id?: string;
  parent_message_id?: string | null;
  model?: string;
  max_output_tokens?: number;
  temperature?: number;
  top_p?: number;
  top_k?: number;
  min_p?: number;
  repeat_penalty?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  seed?: number;
};

export async function appSettings(): Promise<AppSettings> {
  const response = await fetch("app.json", { cache: "no-store", credentials: "omit" });
  if (!response.ok) throw new Error(`app.json: ${response.status}`);
  return (await response.json()) as AppSettings;
}

export const auth = {
  login: (token: string, body: { username: string; password: string; label: string; code?: string }) =>
    call<Login>("POST", `${API}/auth/login`, { token, body }),
  refresh: (token: string, refresh_token: string) =>
    call<Login>("POST", `${API}/auth/refresh`, { token, body: { refresh_token } }),
  setup: (token: string, body: { setup_code: string; username: string; password: string; display_name?: string }) =>
    call<Login>("POST", `${API}/auth/setup`, { token, body }),
  accept: (token: string, code: string, password: string) =>
    call<Login>("POST", `${API}/auth/accept`, { token, body: { code, password } }),
  reset: (token: string, body: { reset_code: string; password: string; code?: string }) =>
    call<Login>("POST", `${API}/auth/reset`, { token, body }),
  beginAtProvider: (token: string) => call<LoginAttempt>("POST", `${API}/auth/oidc/begin`, { token }),
  finishAtProvider: (token: string, body: { attempt: string; code: string; state: string; iss?: string; label: string }) =>
    call<Login>("POST", `${API}/auth/oidc/callback`, { token, body }),
  logout: () => call<void>("POST", `${API}/auth/logout`),
};

export const chat = {
  ask: (body: Query, key: string, signal?: AbortSignal) =>
    call<Run>("POST", `${API}/chat/query`, {
      body: { ...body, background: true },
      headers: { "Idempotency-Key": `"${key}"` },
      ...(signal && { signal }),
    }),
  run: (id: string) => call<Run>("GET", `${API}/chat/runs/${id}`),
  cancel: (id: string) => call<Run>("POST", `${API}/chat/runs/${id}/cancel`),
  // By the `url` of a part of a message; relative to the page, as all paths are.
  image: async (path: string) => (await open("GET", path.replace(/^\//, ""))).blob(),
};

export const sessions = {
  list: (query: { after?: string | null; q?: string; archived?: boolean; limit?: number }) =>
    call<List<Session>>("GET", `${API}/chat/sessions`, { query }),
  create: (body: { title?: string; instructions?: string; model?: string; metadata?: Record<string, string> }, key: string) =>
    call<Session>("POST", `${API}/chat/sessions`, { body, headers: { "Idempotency-Key": `"${key}"` } }),
  get: (id: string) => call<Session>("GET", `${API}/chat/sessions/${id}`),
  patch: (id: string, body: Partial<Pick<Session, "title" | "archived" | "instructions" | "model" | "metadata" | "keep">>) =>
    call<Session>("PATCH", `${API}/chat/sessions/${id}`, { body }),
  remove: (id: string, keepalive = false) =>
    call<void>("DELETE", `${API}/chat/sessions/${id}`, { keepalive }),
  messages: (id: string, query: { leaf?: string | null; through?: string; order: "asc" | "desc"; after?: string | null; limit: number }) =>
    call<List<Message>>("GET", `${API}/chat/sessions/${id}/messages`, { query }),
};

export const search = (q: string, after: string | null) => call<List<SearchHit>>("GET", `${API}/search`, { query: { q, after, limit: 20 } });

export const moving = {
  import: async (body: { format: string; conversation: object }): Promise<ImportResult> => {
    const response = await open("POST", `${API}/import`, { body });
    return { ...((await response.json()) as ImportResult), replayed: response.status === 200 };
  },
  export: async (session_id?: string): Promise<Blob> => (await open("GET", `${API}/export`, { query: { session_id } })).blob(),
};

export const models = () => call<{ data: Model[] }>("GET", "v1/models");

export const me = {
  get: () => call<User>("GET", `${API}/me`),
  rename: (display_name: string) => call<User>("PATCH", `${API}/me`, { body: { display_name } }),
  retain: (retention_days: number | null) => call<User>("PATCH", `${API}/me`, { body: { retention_days } }),
  password: (current_password: string, new_password: string) =>
    call<void>("PUT", `${API}/me/password`, { body: { current_password, new_password } }),
  limits: () => call<{ data: Limit[] }>("GET", `${API}/limits`),
};

type Codes = { recovery_codes: string[] };

export const totp = {
  state: () => call<TotpState>("GET", `${API}/me/totp`),
  enrol: (password: string) => call<TotpEnrolment>("POST", `${API}/me/totp`, { body: { password } }),
  confirm: (code: string) => call<Codes>("POST", `${API}/me/totp/confirm`, { body: { code } }),
  renew: (password: string, code: string) => call<Codes>("POST", `${API}/me/totp/recovery-codes`, { body: { password, code } }),
  disable: (password: string, code: string) => call<void>("POST", `${API}/me/totp/disable`, { body: { password, code } }),
};

export type NewToken = { name: string; scopes: string[]; expires_at?: string | null; test?: boolean };

export const tokens = {
  list: (after: string | null) => call<List<Token>>("GET", `${API}/tokens`, { query: { after, limit: 100 } }),
  create: (body: NewToken) => call<Token>("POST", `${API}/tokens`, { body }),
  revoke: (id: string) => call<void>("DELETE", `${API}/tokens/${id}`),
};

export type UserChange = {
  display_name?: string; role?: User["role"]; disabled?: boolean; password?: string; limits?: UserLimits | null;
};

export const users = {
  list: (after: string | null, q?: string) => call<List<User>>("GET", `${API}/users`, { query: { after, q, limit: 50 } }),
  create: (body: { username: string; password?: string; display_name?: string; role: User["role"] }) =>
    call<InvitedUser>("POST", `${API}/users`, { body }),
  change: (id: string, body: UserChange) => call<User>("PATCH", `${API}/users/${id}`, { body }),
  remove: (id: string) => call<void>("DELETE", `${API}/users/${id}`),
  invite: (id: string) => call<InvitedUser>("POST", `${API}/users/${id}/invite`),
  removeFactor: (id: string) => call<void>("DELETE", `${API}/users/${id}/totp`),
  resetLink: (id: string) => call<ResetLink>("POST", `${API}/users/${id}/reset-link`),
};

export type AuditFilter = { actor?: string; action?: string; target?: string; since?: string; before?: string };

export const audit = (after: string | null, filter: AuditFilter) =>
  call<List<AuditEvent>>("GET", `${API}/audit`, { query: { ...filter, after, limit: 50 } });

export const status = () => call<Record<string, unknown>>("GET", `${API}/status`);
