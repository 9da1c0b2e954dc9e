// The hook of an automation: where it is called, how, and its secret.
import { useState } from "preact/hooks";
import { automations, type Automation } from "../api/automations";
import { formatTime, words } from "../text";
import { copyText } from "../ui/copy";
import { exampleOf } from "./hook_example";
import { freshSecret, FreshSecret, RotateDialog, showOnce } from "./secret";
import { samplePayload } from "./template";

function Copied({ text, label }: { text: string; label: string }) {
  return <button type="button" class="quiet" aria-label={`${words().copy}: ${label}`} onClick={(event) => void copyText(text, event.currentTarget)}>{words().copy}</button>;
}

export function HookCard({ automation, changed }: { automation: Automation; changed: (automation: Automation) => void }) {
  const t = words().webhooks;
  const [rotating, setRotating] = useState(false);
  const { id, hook, trigger, variables } = automation;
  if (!hook || trigger?.type !== "hook") return null;
  const url = new URL(hook.url, location.href).href;
  const example = exampleOf(trigger.verify, url, freshSecret(id) ?? hook.secret_hint, samplePayload(variables));
  const rotate = async (overlap: number) => {
    const made = await automations.rotateHook(id, overlap);
    showOnce(id, made.hook?.secret);
    changed(made);
  };
  return (
    <section class="card" aria-label={t.hook}>
      <h2>{t.hook}</h2>
      <p class="lead">{t.hookLead[trigger.verify]}</p>
      <FreshSecret of={id} lead={trigger.verify === "token" ? t.hookToken : t.hookSecret} />
      <div><h3 class="small-heading">{t.hookAddress}</h3><div class="secret-row"><code>{url}</code><Copied text={url} label={t.hookAddress} /></div></div>
      <div><h3 class="small-heading">{t.secret}</h3><div class="secret-row"><code>{hook.secret_hint}</code><button type="button" class="quiet" onClick={() => setRotating(true)}>{t.rotate}</button></div>
        {hook.old_secret_until && <p class="fine">{t.oldSecret(formatTime(hook.old_secret_until))}</p>}
      </div>
      {trigger.verify === "github" && <p class="hint">{t.github}</p>}
      <details class="more">
        <summary>{t.example}</summary>
        <div class="example"><pre tabIndex={0} role="region" aria-label={t.example}><code>{example}</code></pre><Copied text={example} label={t.example} /></div>
      </details>
      {rotating && <RotateDialog rotate={rotate} close={() => setRotating(false)} />}
    </section>
  );
}
