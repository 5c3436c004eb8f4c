import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { ROOT } from "../support/source-files.ts";
import { Attacked, treeAt, type Answer } from "./server.ts";

/*
 * What attacks cost a member, on the source as it is and, where a commit is named, as it was then:
 * `npm run attacks -- COMMIT`. It prints one table, and judges nothing: the machine decides about times.
 */

const VICTIM = { name: "demo", password: "demo12345", from: "127.0.0.9" };
const FLOOD_MS = 3_000;

const told = ({ status, ms }: Answer) =>
  status === 0 ? `no answer in ${Math.round(ms)} ms` : `${status} after ${Math.round(ms)} ms`;
const victim = (server: Attacked) => server.logIn(VICTIM.name, VICTIM.password, { from: VICTIM.from });

/** Repeats the request with so many under way, until the work is done. */
async function during<T>(width: number, ask: (i: number) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let [isOver, count] = [false, 0];
  const lanes = Array.from({ length: width }, async () => {
    while (!isOver) await ask(count++);
  });
  const result = await work();
  isOver = true;
  await Promise.all(lanes);
  return result;
}

async function flooded(server: Attacked, width: number, ask: (i: number) => Promise<unknown>): Promise<string> {
  return during(width, ask, async () => {
    await sleep(FLOOD_MS);
    return told(await victim(server));
  });
}

const signUps = (server: Attacked) =>
  flooded(server, 100, (i) => {
    const body = `username=flood_${i}&password=floods+away&code=TRIO2026`;
    return server.ask("/api/member/doRegister", { from: "127.0.0.66", body });
  });

const guesses = (server: Attacked) =>
  flooded(server, 48 * 4, (i) => server.logIn(`nobody_${i}`, "guess it", { from: `127.0.1.${1 + (i % 48)}` }));

function open(server: Attacked, head: string): Socket {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {}).on("connect", () => socket.write(head));
  return socket.resume();
}

const headOf = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 100000\r\n\r\n`;

async function drips<T>(server: Attacked, head: string, count: number, work: () => Promise<T>): Promise<T> {
  const sockets = Array.from({ length: count }, () => open(server, head));
  const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write("x")), 1_000);
  await sleep(FLOOD_MS);
  const result = await work();
  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
  return result;
}

const dripping = (server: Attacked) =>
  drips(server, headOf("/api/member/doLogin", "application/json"), 600, async () => {
    const begun = await server.ask("/healthz", { from: VICTIM.from, patienceMs: 5_000 });
    await sleep(20_000);
    const later = await server.ask("/healthz", { from: VICTIM.from, patienceMs: 5_000 });
    return `${told(begun)}; 20 s later ${told(later)}`;
  });

const formOf = (bytes: Buffer) => {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  return {
    type: "multipart/form-data; boundary=x",
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--x--\r\n")]),
  };
};

const plain = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: 1, g: 2, b: 3 } } });

const tokenOf = async (server: Attacked) => (await victim(server)).data!["token"] as string;

async function picture(server: Attacked, side: number): Promise<string> {
  const token = await tokenOf(server);
  const bytes = await plain(side).avif({ effort: 1 }).toBuffer();
  const before = server.memoryMb();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, server.memoryMb())), 50);
  const answer = await server.ask("/api/system/uploadimg", { token, ...formOf(bytes) });
  clearInterval(look);
  return `${bytes.length} B: code ${answer.code} after ${Math.round(answer.ms)} ms, ${Math.round(before)} MB, then ${Math.round(most)} MB`;
}

const strangers = (server: Attacked) =>
  drips(server, headOf("/api/system/uploadimg", "multipart/form-data; boundary=x"), 16, async () => {
    const form = formOf(await plain(64).png().toBuffer());
    return told(
      await server.ask("/api/system/uploadimg", { token: await tokenOf(server), ...form, patienceMs: 10_000 }),
    );
  });

/** Sixty strangers guess at one name; its member comes from a new place with their phone, and from the usual place. */
async function locked(server: Attacked): Promise<string> {
  const device = (await victim(server)).data?.["device"] as string | undefined;
  const guesses = Array.from({ length: 60 }, (_, i) =>
    server.logIn(VICTIM.name, "guess it", { from: `127.0.2.${i + 1}` }),
  );
  await Promise.all(guesses);
  const phone = { from: "127.0.0.10", ...(device && { device }) };
  const moved = await server.logIn(VICTIM.name, VICTIM.password, phone);
  return `phone elsewhere ${told(moved)}; usual place ${told(await victim(server))}`;
}

const ATTACKS: Record<string, (server: Attacked) => Promise<string>> = {
  "a member's log-in, quiet": async (server) => told(await victim(server)),
  "a member's log-in while one address signs up": signUps,
  "a member's log-in while 48 addresses guess": guesses,
  "a member's upload while 16 strangers hold theirs": strangers,
  "a picture of 50 Mpx": (server) => picture(server, 7_071),
  "a picture of 12 Mpx": (server) => picture(server, 3_464),
  "a member whose name 60 strangers guess": locked,
  "/healthz under 600 dripping bodies": dripping,
};

/** A fresh server for each attack: no locks and queues of one reach the next. */
async function attack(tree: string, one: (server: Attacked) => Promise<string>): Promise<string> {
  const server = await Attacked.start(tree);
  try {
    return await one(server);
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  } finally {
    await server.stop();
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const [commit] = process.argv.slice(2);
const earlier = commit === undefined ? null : treeAt(commit);
for (const [name, one] of Object.entries(ATTACKS)) {
  say(name);
  if (earlier) say(`  ${commit}: ${await attack(earlier.tree, one)}`);
  say(`  now: ${await attack(ROOT, one)}`);
}
earlier?.remove();
