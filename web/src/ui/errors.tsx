// An error in the server's words, with the request id to copy and, for a limit, a countdown.
import { useEffect, useState } from "preact/hooks";
import { Problem, Unreachable } from "../api/problem";
import { words } from "../text";
import { copyText } from "./copy";
import { Alert } from "./icons";

export function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.message || error.title;
  if (error instanceof Unreachable) return words().notConnected;
  return words().unexpected;
}

// Seconds until a moment, counted down on the screen.
export function useCountdown(until: number): number {
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

function Countdown({ error }: { error: Problem }) {
  const [until] = useState(() => Date.now() + (error.retryAfter ?? 1) * 1000);
  const seconds = useCountdown(until);
  return <>{seconds > 0 ? words().limitHit(seconds) : words().limitOver}</>;
}

export function ErrorNote({ error, retry, dismiss }: { error: unknown; retry?: () => void; dismiss?: () => void }) {
  if (!error) return null;
  const t = words();
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div class="note bad" role="alert">
      <Alert />
      <div class="note-text">
        <p>{problem?.status === 429 ? <Countdown error={problem} key={problem.requestId} /> : wordsOf(error)}</p>
        {problem?.requestId && (
          <p class="fine">
            {t.requestId} <code>{problem.requestId}</code>{" "}
            <button type="button" class="link" aria-label={t.copyRequestId}
                    onClick={(event) => void copyText(problem.requestId, event.currentTarget)}>{t.copy}</button>
          </p>
        )}
      </div>
      {retry && <button type="button" class="quiet" onClick={retry}>{t.retry}</button>}
      {dismiss && !retry && <button type="button" class="quiet" onClick={dismiss}>{t.close}</button>}
    </div>
  );
}
