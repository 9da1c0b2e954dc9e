import { effect } from "@preact/signals";
import { Component, render, type ComponentChildren } from "preact";
import { start, started, user } from "./auth/login";
import { arrive } from "./auth/provider";
import { InvitePage, LoginPage, ResetPage, SetupPage } from "./pages/entrance";
import { forgetChat, startChat } from "./sessions/chat";
import { startDrafts } from "./sessions/drafts";
import { forgetList, startList } from "./sessions/list";
import { startNews } from "./sessions/news";
import { startUndo } from "./sessions/undo";
import { forgetRuns, startRuns } from "./streams/runs";
import { startLeading } from "./tabs/lead";
import { startLanguage, words } from "./text";
import { route } from "./ui/route";
import { Shell } from "./ui/shell";
import { startTheme } from "./ui/theme";
import "./styles/main.css";

// Shows a bug of the app as a message instead of an empty page.
class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failed: true });
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main class="entrance"><div class="entrance-card" role="alert">
        <p>{words().unexpected}</p>
        <button type="button" class="primary" onClick={() => location.reload()}>{words().reload}</button>
      </div></main>
    );
  }
}

function App() {
  const now = route.value;
  if (!started.value) return null;
  if (now.page === "setup" && !user.value) return <SetupPage code={now.code} />;
  if (now.page === "invite") return <InvitePage code={now.code} />;
  if (now.page === "reset") return <ResetPage code={now.code} />;
  return user.value ? <Shell key={user.value.id} /> : <LoginPage />;
}

async function begin(): Promise<void> {
  startTheme();
  startRuns();
  startList();
  startChat();
  startUndo();
  startDrafts();
  startNews();
  startLeading();
  await startLanguage();
  render(<Boundary><App /></Boundary>, document.getElementById("app")!);
  await start();
  await arrive();
}

// After a logout, no data of the user stays on the screen.
let last: string | undefined;
effect(() => {
  const now = user.value?.id;
  if (last && last !== now) {
    forgetChat();
    forgetList();
    forgetRuns();
  }
  last = now;
});

void begin();
