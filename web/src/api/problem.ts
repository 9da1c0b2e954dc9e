import type { FieldFault, ProblemBody } from "./types";

// A refusal of the server, with its message.
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string;
  readonly faults: FieldFault[];
  readonly retryAfter: number | null; // In seconds.
  readonly body: ProblemBody;

  constructor(body: ProblemBody, retryAfter: number | null = null) {
    super(body.detail || body.title);
    this.status = body.status;
    this.code = body.code;
    this.title = body.title;
    this.requestId = body.request_id;
    this.faults = body.errors ?? [];
    this.retryAfter = retryAfter;
    this.body = body;
  }

  // The fault of one form field, if the server reported one.
  faultOf(field: string): string | undefined {
    return this.faults.find((fault) => fault.pointer === `#/${field}`)?.detail;
  }

  // The first fault of a list or of one of its entries.
  faultUnder(field: string): string | undefined {
    return this.faults.find(({ pointer }) => pointer === `#/${field}` || pointer?.startsWith(`#/${field}/`))?.detail;
  }
}

// No response: the network or the server is unreachable.
export class Unreachable extends Error {}

// There is no login, or it has ended.
export class LoggedOut extends Error {}

export async function problemOf(response: Response): Promise<Problem> {
  const seconds = Number(response.headers.get("Retry-After"));
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  let body: ProblemBody | undefined;
  try {
    const read: unknown = await response.json();
    if (isProblem(read)) body = read;
  } catch {
    // A proxy in between sent another response.
  }
  return new Problem(
    body ?? {
      title: response.statusText || `HTTP ${response.status}`,
      detail: "",
      status: response.status,
      code: "",
      request_id: response.headers.get("X-Request-Id") ?? "",
    },
    retryAfter,
  );
}

function isProblem(read: unknown): read is ProblemBody {
  return typeof read === "object" && read !== null && "code" in read && "title" in read && "status" in read;
}
