// Common parts of lists with several pages.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { ErrorNote } from "../ui/errors";
import { Form } from "../ui/form";
import { copyText } from "../ui/copy";
import type { Listing } from "./listing";

export function ListFoot<T>({ listing, empty }: { listing: Listing<T>; empty: string }) {
  const t = words();
  return (
    <>
      <ErrorNote error={listing.error} retry={listing.reload} />
      {listing.loading && <p class="lead">{t.loading}</p>}
      {!listing.loading && !listing.error && listing.rows.length === 0 && <p class="lead">{empty}</p>}
      {listing.more && !listing.loading && <p class="center"><button type="button" class="quiet" onClick={listing.loadMore}>{t.loadMore}</button></p>}
    </>
  );
}

interface ConfirmProps {
  title: string;
  lead: string;
  button: string;
  run: () => Promise<unknown>;
  close: () => void;
  children?: ComponentChildren;
}

export function Confirm({ title, lead, button, run, close, children }: ConfirmProps) {
  return (
    <Dialog title={title} close={close}>
      <p>{lead}</p>
      <Form button={button} danger cancel={close} submit={async () => { await run(); close(); }} fields={() => children} />
    </Dialog>
  );
}

// A secret that is shown only once: a token, or the link of an invitation.
export function Secret({ text, lead }: { text: string; lead: ComponentChildren }) {
  const t = words();
  const [done, setDone] = useState(false);
  return (
    <div class="secret">
      <p>{lead}</p>
      <div class="secret-row">
        <code>{text}</code>
        <button type="button" class="primary" onClick={() => void copyText(text).then(setDone)}>{done ? t.copied : t.copy}</button>
      </div>
    </div>
  );
}
