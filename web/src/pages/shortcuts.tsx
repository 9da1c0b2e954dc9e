import { words } from "../text";
import { SHORTCUTS } from "../ui/shortcuts";
import { Page } from "./page";

export function ShortcutsPage() {
  const t = words();
  return (
    <Page title={t.shortcuts} lead={t.shortcutsLead}>
      <dl class="shortcuts">
        {SHORTCUTS.map(({ name, keys }) => (
          <div key={name}>
            <dt>{t.shortcutNames[name]}</dt>
            <dd>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
