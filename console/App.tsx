import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useSyncExternalStore, type ReactNode } from "react";
import type { Me } from "#shared/console.ts";
import { Failed, readMe, signOut } from "./api.ts";
import { Commands } from "./Commands.tsx";
import { Log } from "./Log.tsx";
import { Members } from "./Members.tsx";
import { Queues } from "./Queues.tsx";
import { openQueues } from "./queues.ts";
import { Settings } from "./Settings.tsx";
import { SignIn } from "./SignIn.tsx";
import { useWork } from "./use-work.ts";

const Live = lazy(() => import("./Live.tsx"));

/** The part of the address after `#/`, as words. */
function useWords(): string[] {
  const hash = useSyncExternalStore(
    (onChange) => {
      window.addEventListener("hashchange", onChange);
      return () => window.removeEventListener("hashchange", onChange);
    },
    () => window.location.hash,
  );
  return hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

interface Page {
  name: string;
  title: string;
  /** The command that it shows; whoever may not give that does not see it. */
  command?: string;
  show(me: Me, words: string[]): ReactNode;
}

const PAGES: Page[] = [
  { name: "queues", title: "Queues", show: (me, [queue]) => <Queues me={me} name={queue} /> },
  { name: "live", title: "Live", command: "live", show: () => <Live /> },
  { name: "members", title: "Members", command: "member:list", show: (me, [name]) => <Members me={me} name={name} /> },
  { name: "settings", title: "Settings", command: "setting:list", show: () => <Settings /> },
  { name: "commands", title: "Commands", show: (me, [name]) => <Commands me={me} name={name} /> },
  { name: "log", title: "Who did what", command: "operators:log", show: () => <Log /> },
];

export function App() {
  const words = useWords();
  const { data: me, error, refetch } = useQuery({ queryKey: ["me"], queryFn: readMe, refetchInterval: 60_000 });
  if (error instanceof Failed && error.status === 401) return <SignIn onDone={() => void refetch()} />;
  if (!me) return <main className="alone">{error ? <p role="alert">{error.message}</p> : <p>Loading…</p>}</main>;
  return <Inside me={me} words={words} />;
}

function Inside({ me, words: [at = "queues", ...words] }: { me: Me; words: string[] }) {
  const may = (command?: string) => command === undefined || me.commands.some(({ name }) => name === command);
  const pages = PAGES.filter(({ name, command }) => may(command) && (name !== "queues" || openQueues(me).length > 0));
  const page = pages.find(({ name }) => name === at) ?? pages[0]!;
  return (
    <>
      <header>
        <nav aria-label="Pages">
          {pages.map(({ name, title }) => (
            <a key={name} href={`#/${name}`} aria-current={page.name === name ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Who me={me} />
      </header>
      <main>
        <h1>{page.title}</h1>
        <Suspense fallback={<p>Loading…</p>}>{page.show(me, words)}</Suspense>
      </main>
    </>
  );
}

function Who({ me: { name, roles } }: { me: Me }) {
  const client = useQueryClient();
  const { isBusy, failure, work } = useWork();
  const leave = async () => {
    await signOut();
    client.clear();
    window.location.hash = "";
    window.location.reload();
  };
  return (
    <>
      <p className="who">
        {name} <small>{roles.join(", ")}</small>{" "}
        <button type="button" aria-disabled={isBusy} onClick={() => void work(leave)}>
          Sign out
        </button>
      </p>
      {failure !== "" && <p role="alert">{failure}</p>}
    </>
  );
}
