// All automations of the user, each with its state, its schedule in words, and its next time.
import { automations, scheduleOf, type Automation } from "../api/automations";
import { ListFoot } from "../pages/list_parts";
import { Page } from "../pages/page";
import { words } from "../text";
import { Plus } from "../ui/icons";
import { automationLink } from "../ui/route";
import { AutomationMenu, RunButton, type Changed } from "./actions";
import { useCurrentListing } from "./news";
import { dueText, scheduleText } from "./schedule";
import { StateBadge } from "./state";
import { automationTabs } from "./tabs";

function NextTime({ automation }: { automation: Automation }) {
  const t = words().automations;
  if (automation.state === "paused") return <>{t.pauseReason[automation.pause_reason ?? "user"]}</>;
  if (automation.state === "ended") return <>{t.endedText}</>;
  return automation.next_at ? <>{t.next(dueText(automation.next_at, scheduleOf(automation.trigger)?.time_zone))}</> : null;
}

function Row({ automation, ...change }: { automation: Automation } & Changed) {
  const t = words().automations;
  return (
    <li>
      <div class="row-words">
        <p><a class="row-name" href={automationLink(automation.id)} dir="auto">{automation.name}</a><StateBadge automation={automation} /></p>
        <p>{scheduleText(automation.trigger)}</p>
        <p class="fine"><NextTime automation={automation} />{automation.consecutive_failures > 0 && <span class="failures"> {t.failures(automation.consecutive_failures)}</span>}</p>
      </div>
      <div class="row-actions"><RunButton automation={automation} /><AutomationMenu automation={automation} {...change} /></div>
    </li>
  );
}

const put = (all: Automation[], one: Automation): Automation[] =>
  all.some(({ id }) => id === one.id) ? all.map((each) => (each.id === one.id ? one : each)) : [one, ...all];

const without = (all: Automation[], ids: string[]): Automation[] => all.filter(({ id }) => !ids.includes(id));

export function ListPage() {
  const t = words().automations;
  const listing = useCurrentListing<Automation>(automations.list, "automations", ({ change }) => ({
    ids: (news) => news.changed,
    deleted: (ids) => change((all) => without(all, ids)),
    fetchOne: (id) => automations.get(id).then((one) => change((all) => put(all, one)), () => undefined),
  }));
  return (
    <Page title={t.title} lead={t.lead} tabs={automationTabs("list")}
          action={<a class="primary with-icon" href="#/automations/new"><Plus size={18} />{t.create}</a>}>
      {listing.rows.length > 0 && (
        <ul class="rows automations">{listing.rows.map((automation) => (
          <Row key={automation.id} automation={automation} changed={(one) => listing.change((all) => put(all, one))}
               removed={(id) => listing.change((all) => without(all, [id]))} />
        ))}</ul>
      )}
      <ListFoot listing={listing} empty={t.none} />
      {!listing.loading && !listing.error && listing.rows.length === 0 && <p class="fine">{t.noneHint}</p>}
    </Page>
  );
}
