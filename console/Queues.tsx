import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { Me } from "#shared/console.ts";
import { give, look } from "./api.ts";
import { LocalField } from "./LocalField.tsx";
import { mayGive, openQueues, type Action, type Case, type Queue } from "./queues.ts";
import { Json, MadeFiles } from "./Shown.tsx";

const AGAIN_MS = 15_000;

export function Queues({ me, name }: { me: Me; name: string | undefined }) {
  const queues = openQueues(me);
  const queue = queues.find((one) => one.name === name) ?? queues[0];
  if (!queue) return <p>Your roles have no queue.</p>;
  return (
    <>
      <nav aria-label="Queues" className="tabs">
        {queues.map((one) => (
          <QueueLink key={one.name} queue={one} isCurrent={one === queue} />
        ))}
      </nav>
      <OpenQueue key={queue.name} me={me} queue={queue} />
    </>
  );
}

const useCases = ({ list, pick }: Queue) =>
  useQuery({
    queryKey: ["queue", list],
    queryFn: async () => (await look<Record<string, unknown>[]>(list)).json,
    select: pick,
    refetchInterval: AGAIN_MS,
  });

function QueueLink({ queue, isCurrent }: { queue: Queue; isCurrent: boolean }) {
  const { data } = useCases(queue);
  return (
    <a href={`#/queues/${queue.name}`} aria-current={isCurrent ? "true" : undefined}>
      {queue.title} {data !== undefined && <b>{data.length}</b>}
    </a>
  );
}

interface Told {
  text: string;
  undo?: Action;
  isBad?: boolean;
}

/**
 * The queue's cases, the one in hand, and what may be done with it. It stays in hand when the list changes: nobody decides
 * a case that came into its place. Decided elsewhere, it is `gone` until the operator takes the next.
 */
function useCase(me: Me, queue: Queue) {
  const { data: cases, error } = useCases(queue);
  const [at, setAt] = useState<string | null>(null);
  const [place, setPlace] = useState(0);
  const found = cases?.findIndex(({ id }) => id === at) ?? -1;
  if (found >= 0 && found !== place) setPlace(found);
  const take = (id: string | undefined) => setAt(id ?? null);
  const isFresh = at === null && cases !== undefined && cases.length > 0;
  if (isFresh) take(cases[Math.min(place, cases.length - 1)]!.id);
  const one = found >= 0 ? cases?.[found] : undefined;
  const actions = one ? queue.actions(one).filter(({ command }) => mayGive(me, command)) : [];
  const go = (step: number) => {
    const from = found >= 0 ? found + step : place;
    take(cases?.[Math.min(cases.length - 1, Math.max(0, from))]?.id);
  };
  const isGone = at !== null && cases !== undefined && found < 0;
  // What was decided here makes room for the next.
  const [acted, setActed] = useState<string | null>(null);
  if (isGone && acted === at) take(undefined);
  return { cases, error, one, isGone, actions, go, take, noteDone: setActed };
}

/** An action that waits for its words, and the case that it is for. */
interface Asked {
  action: Action;
  of: string;
}

/** Reads every queue anew, and waits for one of them: what the others do meanwhile holds nobody up. */
function useReadAnew(list: string): () => Promise<void> {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ["queue"], predicate: ({ queryKey }) => queryKey[1] !== list });
    return client.invalidateQueries({ queryKey: ["queue", list] });
  };
}

/**
 * Does what is chosen, after its reason was asked for, and says how it goes: one at a time, until the queue is read anew.
 * How it went is said after that, so whoever reads it may go on, or take it back, at once. Where it failed, the case stays
 * with the words that were written.
 */
function useActs(me: Me, list: string, onDone: (of: string) => void) {
  const readAnew = useReadAnew(list);
  const [asking, setAsking] = useState<Asked | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const [isBusy, setBusy] = useState(false);
  // At once: a second key may come before the page shows the first.
  const isUnderWay = useRef(false);
  const send = async (action: Action, of: string, words: string): Promise<Told> => {
    const options = { ...action.options, ...(action.asks && { [action.asks]: words }) };
    const answer = await give(action.command, { args: action.args ?? {}, options });
    const { undo: back, ...rest } = action;
    const undo = back !== undefined && mayGive(me, back) ? { ...rest, command: back } : undefined;
    if (!("done" in answer)) throw new Error(answer.asks);
    onDone(of);
    setAsking(null);
    return { text: answer.done.text, ...(undo && { undo }) };
  };
  const act = async (action: Action, of: string, words = "") => {
    if (isUnderWay.current) return;
    if (action.asks && words === "") return setAsking({ action, of });
    isUnderWay.current = true;
    setBusy(true);
    setTold({ text: `${action.label}: under way…` });
    const result = await send(action, of, words).catch((failure: Error) => ({ text: failure.message, isBad: true }));
    await readAnew();
    isUnderWay.current = false;
    setBusy(false);
    setTold(result);
  };
  return { asking, setAsking, told, isBusy, act };
}

function OpenQueue({ me, queue }: { me: Me; queue: Queue }) {
  const { cases, error, one, isGone, actions, go, take, noteDone } = useCase(me, queue);
  const { asking, setAsking, told, isBusy, act } = useActs(me, queue.list, noteDone);
  const decide = (action: Action, words?: string) => act(action, one!.id, words);
  useKeys((key) => {
    if (key === "j" || key === "k") {
      go(key === "j" ? 1 : -1);
      setAsking(null);
    } else if (key === "u" && told?.undo) void act(told.undo, "");
    else void Promise.all(actions.filter((some) => some.key === key).map((action) => decide(action)));
  });
  return (
    <>
      <p className="keys">j, k: next, previous · the others: as the buttons say · u: take back</p>
      <ToldLine told={told} onUndo={(undo) => void act(undo, "")} />
      {error && <p role="alert">{error.message}</p>}
      {cases?.length === 0 && <p>Nothing waits here.</p>}
      <div className="queue">
        <Cases cases={cases ?? []} one={one} onOne={(next) => take(next.id)} />
        {isGone && <Gone onNext={() => take(undefined)} />}
        {one && (
          <section aria-label={one.title} className="case">
            <h2>{one.title}</h2>
            <Actions actions={actions} isBusy={isBusy} onAct={(action) => void decide(action)} />
            {asking?.of === one.id && (
              <Asking
                key={`${one.id} ${asking.action.label}`}
                action={asking.action}
                isBusy={isBusy}
                onWords={(words) => void decide(asking.action, words)}
              />
            )}
            <Json value={one.row} />
            <Before me={me} queue={queue} one={one} />
          </section>
        )}
      </div>
    </>
  );
}

const Gone = ({ onNext }: { onNext: () => void }) => (
  <section aria-label="Decided" className="case">
    <p>This case was decided elsewhere.</p>
    <button type="button" className="first" onClick={onNext}>
      Next case
    </button>
  </section>
);

function ToldLine({ told, onUndo }: { told: Told | null; onUndo: (undo: Action) => void }) {
  const undo = told?.undo;
  return (
    <p role="status" className={told?.isBad ? "told bad" : "told"}>
      {told?.text}
      {undo && (
        <button type="button" onClick={() => onUndo(undo)}>
          Undo (u)
        </button>
      )}
    </p>
  );
}

interface ActionsProps {
  actions: Action[];
  isBusy: boolean;
  onAct: (action: Action) => void;
}

const Actions = ({ actions, isBusy, onAct }: ActionsProps) => (
  <div className="actions">
    {actions.map((action, place) => (
      <button
        key={action.label}
        type="button"
        className={place === 0 ? "first" : undefined}
        aria-disabled={isBusy}
        onClick={() => onAct(action)}
      >
        {action.label} ({action.key})
      </button>
    ))}
  </div>
);

interface CasesProps {
  cases: Case[];
  one: Case | undefined;
  onOne: (one: Case) => void;
}

function Cases({ cases, one, onOne }: CasesProps) {
  return (
    <ul className="cases">
      {cases.map((some) => (
        <li key={some.id}>
          <button type="button" aria-pressed={some.id === one?.id} onClick={() => onOne(some)}>
            {some.title}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface AskingProps {
  action: Action;
  isBusy: boolean;
  onWords: (words: string) => void;
}

function Asking({ action, isBusy, onWords }: AskingProps) {
  const [words, setWords] = useState("");
  const id = useId();
  useEffect(() => document.getElementById(id)?.focus(), [id]);
  return (
    <form
      aria-label={action.label}
      onSubmit={(event) => {
        event.preventDefault();
        onWords(words);
      }}
      onKeyDown={(event) => {
        const isLine = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
        if (!isLine || !(event.target instanceof HTMLTextAreaElement)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <label htmlFor={id}>
        {action.asks === "reason" ? "Reason, for the member to read" : "Answer, for the member to read"}
      </label>
      {action.asks === "reason" ? (
        <LocalField id={id} isRequired value={words} onValue={setWords} />
      ) : (
        <textarea id={id} required rows={5} value={words} onChange={({ target }) => setWords(target.value)} />
      )}
      <button type="submit" className="first" aria-disabled={isBusy}>
        {action.label} (Enter)
      </button>
    </form>
  );
}

/** What happened before: the member's balance and newest entries, or the conversation. */
function Before({ me, queue, one }: { me: Me; queue: Queue; one: Case }) {
  const wanted = queue.before?.(one);
  const may = wanted !== undefined && mayGive(me, wanted.command);
  const { data, error } = useQuery({
    queryKey: ["before", wanted],
    queryFn: () => look(wanted!.command, wanted!.args, wanted!.options),
    enabled: may,
  });
  if (!may) return null;
  return (
    <section aria-label="Before">
      <h3>Before</h3>
      {error && <p role="alert">{error.message}</p>}
      {data && <Json value={data.json} />}
      {data && <MadeFiles files={data.files} />}
    </section>
  );
}

/** Calls back for a key that is pressed outside of fields, alone. It is typed into no field that opens meanwhile. */
function useKeys(onKey: (key: string) => void): void {
  const latest = useRef(onKey);
  // Before the page shows what a key may be pressed for.
  useLayoutEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest("input, textarea, select") !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (/^[a-z]$/.test(event.key)) event.preventDefault();
      latest.current(event.key);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
