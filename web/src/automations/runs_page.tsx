// The runs of all automations.
import { useEffect, useState } from "preact/hooks";
import { automations } from "../api/automations";
import { Page } from "../pages/page";
import { words } from "../text";
import { Ledger } from "./ledger";
import { automationTabs } from "./tabs";

export function RunsPage() {
  const t = words().automations;
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    automations.list(null).then(({ data }) => setNames(new Map(data.map(({ id, name }) => [id, name]))), () => undefined);
  }, []);
  return (
    <Page title={t.allRuns} lead={t.runsLead} tabs={automationTabs("runs")}>
      <Ledger automation={null} nameOf={(id) => names.get(id) ?? t.title} />
    </Page>
  );
}
