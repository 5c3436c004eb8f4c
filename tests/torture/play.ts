import { setPayPassword } from "#shared/contract/member.ts";
import { prove } from "#shared/contract/security.ts";
import { Client } from "../support/client.ts";
import { ServerProcess, TEN_SECONDS, type ServerOptions } from "../support/server-process.ts";
import { bindAccount, PIN } from "../support/withdrawal-steps.ts";
import { Load } from "../stories/crash-load.ts";
import { DEEDS, furnish } from "./deeds.ts";
import { History, RecordingClient } from "./history.ts";
import { nameOf, type Played } from "./judge.ts";
import { inherited } from "./plant.ts";
import { Device } from "./pushes.ts";
import { SiteTime } from "./site-time.ts";

const GAMES = [TEN_SECONDS, { ...TEN_SECONDS, key: "other-10s" }];
const MEMBERS = 3;
/** Its clock is faster than ours: rounds open, close, are drawn and settled all the time. */
export const SPEED = 4;
const START_UNITS = 20_000;

export type SiteOptions = Pick<ServerOptions, "env" | "under" | "before" | "speed" | "games" | "from">;

/**
 * Opens a site with members who have money, a passcode and an account, and whose load has not begun. They reach it at the
 * address that `through` returns.
 */
export async function openSite(
  { env, games = GAMES, ...options }: SiteOptions,
  through = async (server: ServerProcess) => server.address,
): Promise<Played> {
  const beganAt = options.from ?? Date.now();
  const site = { speed: SPEED, from: beganAt, games, env: { ...inherited(), ...env } };
  const server = await ServerProcess.start({ ...site, ...options });
  await furnish(server);
  const address = await through(server);
  const history = new History();
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, async (_, i) => {
      const registered = await new Client(address).register(nameOf(i));
      const logIn = () => new Client(address).logIn(nameOf(i));
      const member = new RecordingClient(registered, i, history, logIn);
      await member.must(setPayPassword, { paypassword: PIN });
      // On a fast clock five minutes since the log-in may be over.
      await member.must(prove, { passcode: PIN });
      await bindAccount(member);
      return member;
    }),
  );
  const load = new Load(members, TEN_SECONDS.key, () => server.listening(), DEEDS);
  await Promise.all(members.map((_, i) => load.topUp(i, START_UNITS, "first")));
  const devices = members.map((member) => new Device(member, TEN_SECONDS.key, () => server.clock.now()));
  const close = async () => {
    for (const device of devices) device.close();
    await server.close();
  };
  const time = new SiteTime(server.clock);
  return { server, members, devices, load, history, games, beganAt, time, close };
}
