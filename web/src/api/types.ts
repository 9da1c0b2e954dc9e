// The types of the API, as far as the app uses them. Unknown fields are ignored, as the API
// requires of its clients.

export interface User {
  id: string;
  username: string;
  display_name: string;
  role: "member" | "operator";
  disabled: boolean;
  created_at: string;
  last_login_at: string | null;
  limits?: UserLimits | null;
  retention_days?: number | null;
  second_factor?: boolean;
}

export interface UserLimits {
  chat?: number | null;
  general?: number | null;
  automation?: number | null;
}

export interface Login {
  access_token: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
  user: User;
}

export interface LoginAttempt {
  url: string; // Of the provider.
  attempt: string;
}

export interface Session {
  id: string;
  title: string | null;
  instructions: string | null;
  model: string | null;
  archived: boolean;
  keep?: boolean;
  message_count: number;
  active_run_ids: string[];
  created_at: string;
  updated_at: string;
  last_message_at: string | null;
  metadata: Record<string, string>;
}

export interface ContentPart {
  type: string;
  text?: string;
  url?: string; // Of an image.
}

export type StopReason = "end_turn" | "max_tokens" | "stop_sequence" | "cancelled" | "interrupted" | "error";

export interface Message {
  id: string;
  session_id: string;
  parent_id: string | null;
  role: "user" | "assistant";
  content: ContentPart[];
  stop_reason?: StopReason | null;
  model?: string | null;
  run_id?: string | null;
  created_at: string;
  metadata: Record<string, string>;
  sibling_ids?: string[];
}

export interface SearchHit {
  message_id: string;
  session_id: string;
  session_title: string;
  role: Message["role"];
  created_at: string;
  snippet: string;
  marks: number[][]; // In bytes of UTF-8.
}

export interface ImportResult {
  session_id: string;
  imported: number;
  skipped: { source_id: string; reason: string }[];
  replayed: boolean; // Imported before.
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled" | "interrupted";

export interface Run {
  id: string;
  status: RunStatus;
  session_id: string;
  model: string;
  queue_position: number | null;
  created_at: string;
  user_message: Message;
  message: Message | null;
  usage: Usage | null;
  error: ProblemBody | null;
}

export interface FieldFault {
  pointer?: string;
  parameter?: string;
  code: string;
  detail: string;
}

export interface ProblemBody {
  type?: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldFault[];
  active_run_ids?: string[];
  oldest?: number; // In errors of the event log: the oldest and the newest number.
  latest?: number;
}

export interface List<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Token {
  id: string;
  name: string;
  kind: "personal" | "login" | "test" | "client";
  scopes: string[];
  hint: string;
  created_at: string;
  created_by: string | null;
  last_used_at: string | null;
  expires_at: string | null;
  token?: string;
}

export interface Limit {
  class: string;
  limit: number;
  window_seconds: number;
  remaining: number;
  reset_seconds: number;
}

export interface Model {
  id: string;
  context_window?: number | null;
  capabilities?: { json_schema?: boolean; embeddings?: boolean; vision?: boolean };
}

export interface AuditEvent {
  id: string;
  at: string;
  actor: string;
  action: string;
  target: string | null;
  address: string | null;
  request_id: string | null;
}

export interface Invitation {
  url: string;
  expires_at: string;
}

export interface TotpEnrolment {
  secret: string;
  uri: string;
}

export interface TotpState {
  enabled: boolean;
  recovery_codes_left: number;
}

export interface ResetLink extends Invitation {
  user_id: string;
}

export type InvitedUser = User & { invitation?: Invitation };

// Settings for the app before a login (outside /v1, without a token).
export interface AppSettings {
  client_token: string;
  contact: string | null;
  needs_setup: boolean;
  version: string;
  default_model: string | null;
  note: string | null; // A note about that model.
  demonstration_model?: string | null; // The built-in one, if it is offered.
  login_provider?: string | null; // Its name.
}
