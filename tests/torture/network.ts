import { setTimeout as sleep } from "node:timers/promises";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { ENGINE } from "../support/databases.ts";
import { dicer } from "../support/recompute.ts";
import { ServerProcess } from "../support/server-process.ts";
import { judge, settled, type Report } from "./judge.ts";
import { LyingProxy } from "./lying-proxy.ts";
import { openSite } from "./play.ts";

export interface NetworkPlan {
  seed: number;
  minutes: number;
  say: (line: string) => void;
}

/** The shortest cut, and the longest where there is time for it, in ms. */
const CUTS = { least: 100, most: 120_000 };

/** Members play through a network that lies, before two servers where the engine allows it. */
export async function lie({ seed, minutes, say }: NetworkPlan): Promise<Report> {
  const random = dicer(seed);
  const servers: ServerProcess[] = [];
  await using stack = new AsyncDisposableStack();
  let lying: LyingProxy;
  let cable: CuttableProxy;
  const through = async (first: ServerProcess) => {
    servers.push(first);
    if (ENGINE === "postgres") servers.push(await ServerProcess.start({ sameDatabaseAs: first }));
    lying = stack.use(
      await LyingProxy.before(
        servers.map(({ address }) => address),
        random,
      ),
    );
    cable = stack.use(await CuttableProxy.lay(lying.address));
    return cable.address;
  };
  const played = await openSite({}, through);
  stack.defer(async () => {
    await servers[1]?.close();
    await played.close();
  });
  played.load.start();
  lying!.lies = true;
  const longest = Math.min(CUTS.most, minutes * 10_000);
  let [cuts, sleeps] = [0, 0];
  const end = Date.now() + minutes * 60_000;
  // However long that takes, each has happened.
  const happened = () => [cuts, sleeps, played.load.bets.length, ...Object.values(lying!.did)];
  while (Date.now() < end || happened().includes(0)) {
    await sleep(random() * 3_000);
    const forMs = CUTS.least * (longest / CUTS.least) ** random();
    if (random() < 0.6) {
      cuts++;
      cable!.cut();
      await sleep(forMs);
      cable!.mend();
    } else {
      sleeps++;
      const server = servers[Math.floor(random() * servers.length)]!;
      server.send("SIGSTOP");
      await sleep(Math.min(forMs, 3_000));
      server.send("SIGCONT");
    }
    say(`${cuts} cuts, ${sleeps} sleeps, ${played.load.bets.length} bets`);
  }
  lying!.lies = false;
  await played.load.stop();
  const late = await settled(played);
  const faults = [
    ...late.map((text) => ({ check: "settling", text })),
    ...(await judge({ ...played, beside: servers.slice(1) })),
  ];
  const { asked } = played.history;
  const pushed = played.devices.flatMap((device) => device.connections());
  const figures = { cuts, sleeps, ...lying!.did, requests: asked.length, bets: played.load.bets.length };
  return { figures: { ...figures, connections: pushed.length, pushes: pushed.flat().length }, faults };
}
