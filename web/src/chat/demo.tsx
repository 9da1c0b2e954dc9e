// A label for the models that come with the program and are meant to be replaced.
import { useState } from "preact/hooks";
import { settings } from "../auth/login";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { Info } from "../ui/icons";
import { modelOf } from "./models";

export function DemoNote({ chat, preset }: { chat: Chat; preset: Preset }) {
  const t = words();
  const [open, setOpen] = useState(false);
  const model = modelOf(chat, preset);
  const small = !!model && model === settings.value?.demonstration_model;
  if (model !== "scripted" && !small) return null;
  return (
    <>
      <p class="demo">
        <Info size={16} />
        <span><b>{t.demo}.</b> {small ? t.demoSmall : t.demoScripted} <button type="button" class="link" onClick={() => setOpen(true)}>{t.demoWhat}</button></span>
      </p>
      {open && (
        <Dialog title={t.demoWhat} close={() => setOpen(false)}>
          <p>{t.demoHowPull}</p>
          <pre class="command" tabIndex={0}>parley model pull qwen2.5-coder-1.5b</pre>
          <p>{t.demoHowFile}</p>
          <pre class="command" tabIndex={0}>parley model add FILE.gguf</pre>
          <p>{t.demoHowServer}</p>
          <pre class="command" tabIndex={0}>{"[models.NAME]\nengine = \"upstream\"\nbase_url = \"https://…/v1\""}</pre>
          <p>{t.demoHowDefault}</p>
        </Dialog>
      )}
    </>
  );
}
