// The session that this tab shows: one branch of its messages, the answer being written, and the
// question being sent.
import { computed, signal } from "@preact/signals";
import * as calls from "../api/calls";
import { persist } from "../api/http";
import { LoggedOut, Problem } from "../api/problem";
import type { Message, Run, Session } from "../api/types";
import { watch, type LiveRun } from "../streams/runs";
import { hear } from "../tabs/channel";
import { find, put } from "./list";
import { Tree } from "./tree";

const PAGE = 20; // Enough for the first screen.
const OLDER_PAGE = 50;
const MOST_ON_PAGE = 100;

// An image of a question: `url` has its data, or is the path of a stored one.
export interface Attached {
  name: string;
  size: number;
  url: string;
  preview?: string; // An address of this page.
}

export interface Pending {
  text: string | null; // Null: the answer is generated again.
  images?: Attached[];
  parent: string | null | undefined; // Undefined: after the newest message.
}

let serials = 0;

export class Chat {
  readonly session = signal<Session | null>(null);
  readonly leaf = signal<string | null>(null);
  readonly loading = signal(false);
  readonly loadingOlder = signal(false);
  readonly error = signal<unknown>(null); // Why the conversation cannot be shown.
  readonly sendError = signal<unknown>(null); // Why the last question was refused.
  readonly pending = signal<Pending | null>(null);
  readonly live = signal<LiveRun[]>([]);
  readonly version = signal(0); // Grows with the tree.
  readonly tree = new Tree();
  readonly serial = ++serials;
  chosen = false; // The user has selected a branch, so a question goes there.
  readonly address = signal<string | null>(null); // The id of the session, once there is one.

  constructor(id: string | null) {
    this.address.value = id;
    this.session.value = (id && find(id)) || null;
  }

  get id(): string | null {
    return this.address.peek();
  }

  readonly path = computed<Message[]>(() => {
    void this.version.value;
    // A question that is sent to another branch is shown there at once.
    const parent = this.pending.value?.parent;
    const leaf = parent === undefined ? this.leaf.value : parent;
    if (!leaf) return [];
    const going = new Set(this.live.value.map((live) => live.id));
    const path = this.tree.path(leaf);
    // Answers in progress are shown from their streams.
    while (path.length && going.has(path.at(-1)!.run_id ?? "")) path.pop();
    return path;
  });

  readonly hasOlder = computed(() => !!this.path.value[0]?.parent_id);

  // The run that answers the last message shown.
  readonly answering = computed<LiveRun | null>(() => {
    const last = this.path.value.at(-1);
    if (!last) return null;
    return this.live.value.find((live) => live.run.value?.user_message.id === last.id) ?? null;
  });

  // All questions or answers in one place, oldest first. An answer in progress is one of them.
  versions(message: Pick<Message, "id" | "parent_id">): string[] {
    const stored = this.tree.siblings(message);
    const coming = this.live.value.filter((live) => live.run.value?.user_message.id === message.parent_id).map((live) => this.versionOf(live));
    return [...stored, ...coming.filter((id) => !stored.includes(id)).sort()];
  }

  // The id of an answer in progress; that of its run, until the message has one.
  versionOf(live: LiveRun): string {
    return this.tree.answerOf(live.id) ?? live.messageId.value ?? live.id;
  }

  learn(messages: Message[]): void {
    this.tree.add(messages);
    this.version.value++;
  }

  async load(): Promise<void> {
    const id = this.id;
    if (!id) return;
    this.loading.value = true;
    this.error.value = null;
    try {
      const [session, page] = await Promise.all([
        persist(() => calls.sessions.get(id)),
        persist(() => calls.sessions.messages(id, { order: "desc", limit: PAGE })),
      ]);
      this.session.value = session;
      put(session);
      this.learn(page.data);
      // A returning reader sees the same branch as before.
      if (!this.chosen || !this.leaf.value) this.leaf.value = page.data[0]?.id ?? null;
      session.active_run_ids.forEach((run) => this.follow(run));
    } catch (error) {
      if (!(error instanceof LoggedOut)) this.error.value = error;
    } finally {
      this.loading.value = false;
    }
  }

  async loadOlder(limit = OLDER_PAGE): Promise<void> {
    const above = this.path.value[0]?.parent_id;
    if (!above || !this.id || this.loadingOlder.value) return;
    this.loadingOlder.value = true;
    try {
      const id = this.id;
      const page = await persist(() => calls.sessions.messages(id, { leaf: above, order: "desc", limit }));
      this.learn(page.data);
    } catch (error) {
      this.sendError.value = error;
    } finally {
      this.loadingOlder.value = false;
    }
  }

  // Shows a running run of this session, wherever it was started.
  follow(id: string, begun?: Run): LiveRun {
    const known = this.live.value.find((live) => live.id === id);
    if (known) return known;
    const live = watch(id);
    if (begun) live.run.value ??= begun;
    this.live.value = [...this.live.value, live];
    let seen = false;
    const stop = live.run.subscribe((run) => {
      if (!run || seen) return;
      seen = true;
      this.#begun(run);
    });
    live.over.subscribe((how) => {
      if (!how) return;
      stop();
      this.#ended(live);
    });
    return live;
  }

  knows(run: string): boolean {
    return this.live.value.some((live) => live.id === run) || this.tree.answerOf(run) !== undefined;
  }

  #begun(run: Run): void {
    const question = run.user_message;
    this.learn([question]);
    const leaf = this.leaf.value;
    const mine = leaf === null || leaf === question.parent_id || this.tree.get(leaf)?.run_id === run.id;
    if (mine && !this.chosen) this.leaf.value = question.id;
  }

  #ended(live: LiveRun): void {
    const run = live.run.value;
    this.live.value = this.live.value.filter((other) => other !== live);
    const answer = run?.message;
    if (!answer) return;
    this.learn([run.user_message, answer]);
    const leaf = this.leaf.value;
    if (leaf === run.user_message.id || leaf === answer.id) this.leaf.value = answer.id;
  }

  // Shows the branch through one message, down to its newest message.
  async choose(id: string): Promise<void> {
    if (!this.id) return;
    const coming = this.live.value.find((live) => this.versionOf(live) === id)?.run.value;
    if (coming) {
      this.chosen = false; // A question cannot follow an unfinished answer: it goes after the newest message.
      this.leaf.value = coming.user_message.id;
      return;
    }
    this.chosen = true;
    try {
      const session = this.id;
      let leaf = this.tree.newestBelow(id);
      if (leaf === id || !this.tree.get(leaf)) {
        const page = await persist(() => calls.sessions.messages(session, { through: id, order: "desc", limit: PAGE }));
        this.learn(page.data);
        leaf = page.data[0]?.id ?? leaf;
      }
      this.leaf.value = leaf;
    } catch (error) {
      this.sendError.value = error;
    }
  }

  // Shows a message that a search has found: in the branch that is shown, or in its own. False if it is gone.
  async reveal(id: string): Promise<boolean> {
    const shown = () => this.path.value.some((message) => message.id === id);
    if (shown()) return true;
    try {
      const session = this.id!;
      const page = await persist(() => calls.sessions.messages(session, { through: id, order: "desc", limit: MOST_ON_PAGE }));
      this.learn(page.data);
      const leaf = page.data[0]?.id;
      if (leaf && leaf !== this.leaf.value) {
        this.chosen = true;
        this.leaf.value = leaf;
      }
      while (!shown() && this.hasOlder.value) {
        const before = this.path.value.length;
        await this.loadOlder(MOST_ON_PAGE);
        if (this.path.value.length === before) break; // It failed, which is shown.
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) this.sendError.value = error;
    }
    return shown();
  }

  adopt(session: Session): void {
    this.address.value = session.id;
    this.session.value = session;
    put(session);
  }
}

const MOST_KNOWN = 5;

let open: Chat | undefined;
let recent: Chat[] = []; // Recently shown chats, newest first.

// The chat of an address. A new chat gets its id when its first question is stored, and stays the
// same object.
export function chatFor(id: string | null): Chat {
  if (open && open.id === id) return open;
  const left = open?.id ? [open] : [];
  open = (id && recent.find((chat) => chat.id === id)) || new Chat(id);
  recent = [...left, ...recent.filter((chat) => chat !== open)].slice(0, MOST_KNOWN);
  void open.load();
  return open;
}

// Title, archive state and settings may change in the list, or in another tab.
export function startChat(): void {
  hear("session", ({ session }) => {
    if (open?.id === session.id) open.session.value = session;
  });
  hear("session-gone", ({ id }) => {
    if (open?.id === id) open.error.value = new Problem({ title: "", detail: "", status: 404, code: "not_found", request_id: "" });
  });
  // Another device asked, and the answer ended before this tab could follow it.
  hear("runs-ended", ({ session, runs }) => {
    if (open?.id === session && !open.loading.value && !runs.every((run) => open?.knows(run))) void open.load();
  });
}

export function forgetChat(): void {
  open = undefined;
  recent = [];
}
