// The frame of a page beside the chat: its title and its sections.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../text";
import { Menu } from "../ui/icons";
import { sidebarOpen, toggleSidebar } from "../ui/sidebar";

interface Props {
  title: string;
  lead?: string;
  tabs?: { link: string; name: string; current: boolean }[];
  action?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ title, lead, tabs, action, children }: Props) {
  const t = words();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => { document.title = `${title} · Parley`; }, [title]);
  // So that a screen reader announces the new page. Before it is painted: a key pressed at once must not lose its effect.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <div class="page">
      <header class="page-head">
        {!sidebarOpen.value && <button type="button" class="icon-button" aria-label={t.openSidebar} onClick={() => toggleSidebar(true)}><Menu /></button>}
        {tabs && (
          <nav class="tabs" aria-label={title}>
            {tabs.map((tab) => <a key={tab.link} href={tab.link} aria-current={tab.current ? "page" : undefined} ref={(it) => { if (tab.current) it?.scrollIntoView({ block: "nearest", inline: "nearest" }); }}>{tab.name}</a>)}
          </nav>
        )}
      </header>
      <div class="page-body" tabIndex={0} role="region" aria-label={title}>
        <div class="page-column">
          <div class="page-title"><h1 ref={heading} tabIndex={-1}>{title}</h1>{action}</div>
          {lead && <p class="lead">{lead}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}
