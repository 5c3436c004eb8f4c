import { parseArgs } from "node:util";
import { setTimeout } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { printable } from "#shared/log/evidence/verdict.ts";
import { keyText } from "#shared/log/note.ts";
import { clockOf, SECOND_MS } from "#shared/time.ts";
import { logWarnings, openLog } from "./app/log.ts";
import { siteFiles } from "./verify/log-files.ts";
import { AppWatch } from "./witness/app-watch.ts";
import { pollLog } from "./witness/poll.ts";
import { serveWitness } from "./witness/serve.ts";
import { WitnessState } from "./witness/state.ts";
import { Witness } from "./witness/witness.ts";

/*
 * A witness of a site's public log: it signs each head that extends the one before, and no other.
 */
const USAGE = `usage: npm run witness -- URL [--port N] [--host H] [--state FILE] [--every S]

Signs the heads of a site's public log, each only if it extends the one before: looked up each minute, and
posted to it (C2SP's tlog-witness, POST /add-checkpoint). GET /key is its own key, GET /checkpoint what it
signed last. A fork is written down in FILE.fork.json, as evidence. What the site serves as its app is compared with the log;
what differs is written down in FILE.app.json.

  URL          the site
  --port N     the port to listen at (3300)
  --host H     the address to listen at (127.0.0.1)
  --state FILE the witness' key and what it signed last (witness.json); never lose it, never copy it
  --every S    the seconds between two looks (60)

Exit 1: it could not start, with the reason. 2: wrong usage.`;

const isTerminal = process.stdout.isTTY;
const log = openLog("info");
if (!isTerminal) logWarnings(log);
process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const given = parse(words);
  if (typeof given === "string") {
    const isAsked = given === USAGE;
    (isAsked ? process.stdout : process.stderr).write(isAsked ? `${USAGE}\n` : `${given}\n\n${USAGE}\n`);
    return isAsked ? 0 : 2;
  }
  try {
    await run(given);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    if (isTerminal) process.stderr.write(`${message}\n`);
    else log.fatal(message);
    return 1;
  }
}

interface Arguments {
  site: string;
  port: number;
  host: string;
  file: string;
  everyMs: number;
}

/** Returns what to do, or what to say. */
function parse(words: string[]): Arguments | string {
  const text = { type: "string" } as const;
  const options = { port: text, host: text, state: text, every: text, help: { type: "boolean" } } as const;
  try {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    if (values.help) return USAGE;
    const [site = "", ...more] = positionals.map((one) => one.replace(/\/+$/, ""));
    if (more.length > 0 || !/^https?:/.test(site) || !URL.canParse(site)) return "Give the URL of one site.";
    const port = Number(values.port ?? 3300);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return "--port must be a port number from 0 to 65535.";
    const every = Number(values.every ?? 60);
    if (!Number.isInteger(every) || every < 1 || every > 86_400) return "--every must be seconds, from 1 to 86400.";
    return {
      site,
      everyMs: every * SECOND_MS,
      port,
      host: values.host ?? "127.0.0.1",
      file: values.state ?? "witness.json",
    };
  } catch (error) {
    return (error as Error).message;
  }
}

async function run({ site, port, host, file, everyMs }: Arguments): Promise<void> {
  const clock = clockOf({ kind: "wall" });
  const say = (text: string) =>
    void (isTerminal
      ? process.stdout.write(`${new Date(clock.now()).toISOString()} ${printable(text)}\n`)
      : log.info(text));
  const state = await WitnessState.open(file);
  const witness = new Witness({ state, clock, say, evidence: `${file}.fork.json` });
  const server = await serveWitness(witness, state, { port, host });
  say(`listens at http://${host}:${(server.address() as AddressInfo).port}`);
  say(`signs as ${keyText(witness.key)}`);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const files = siteFiles(site);
  const app = new AppWatch({ site, files, state, clock, say, evidence: `${file}.app.json` });
  while (!stop.signal.aborted) {
    await pollLog({ witness, state, files, say }).catch((error: Error) => say(`not signed: ${error.message}`));
    await app.look().catch((error: Error) => say(`the app was not compared: ${error.message}`));
    await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => {});
  }
  server.close();
  server.closeAllConnections();
}
