import { and, asc, eq, inArray, max, ne } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  operatorInvites,
  operatorPasskeys,
  operators,
  ROLES,
  withdrawalApprovals,
  type Role,
} from "#db/schema/operators.ts";
import { withdrawals } from "#db/schema/payments.ts";
import { hashToken, newToken } from "#server/domains/session/tokens.ts";
import { HOUR_MS, toIso, toSeconds } from "#shared/time.ts";
import { Misused, Refused, type Command, type CommandOutput, type Operator } from "./command.ts";
import { readNumber } from "./read-words.ts";

/** How long a link to the console may be used. */
const INVITE_MS = 24 * HOUR_MS;

/** Where the console listens, unless it is told otherwise. */
export const CONSOLE_PORT = 3900;

export const PORTS = [1, 65_535] as const;

export const readPort = (word: string | undefined): number =>
  readNumber(word ?? String(CONSOLE_PORT), "--port", ...PORTS);

type Person = typeof operators.$inferSelect;

function readName(word: string): string {
  if (/^[a-z][a-z0-9_-]{1,31}$/.test(word)) return word;
  throw new Misused("NAME must have 2 to 32 letters a–z, digits, - or _, and begin with a letter");
}

function readRoles(word: string): Role[] {
  const roles = ROLES.filter((role) => word.split(",").includes(role));
  if (roles.length > 0 && roles.length === word.split(",").length) return roles;
  throw new Misused(`ROLES are ${ROLES.join(", ")}: one, or several joined by commas`);
}

async function needPerson(tx: Tx, name: string): Promise<Person> {
  const isHere = and(eq(operators.name, name), ne(operators.state, "removed"));
  const [person] = await tx.select().from(operators).where(isHere);
  if (!person) throw new Refused(`there is no operator ${name}; see operator:list`);
  return person;
}

/** Makes a link, in place of an older one. Only its hash is stored. */
async function invite(tx: Tx, { clock, random }: Operator, operatorId: number) {
  const token = newToken(random);
  const row = { operatorId, hash: hashToken(token), expiresAt: clock.now() + INVITE_MS };
  await tx.insert(operatorInvites).values(row).onConflictDoUpdate({ target: operatorInvites.operatorId, set: row });
  return { token, expiresAt: row.expiresAt };
}

function linked(
  name: string,
  { token, expiresAt }: { token: string; expiresAt: number },
  port: string | undefined,
): CommandOutput {
  const at = readPort(port);
  const url = `http://localhost:${at}/#invite=${token}`;
  const text = `${url}\nIt lets ${name} add a passkey, once, until ${toIso(expiresAt)}. Hand it over where only they read it.`;
  return { text, json: { ok: true, name, url, expires: toSeconds(expiresAt) } };
}

export const operatorInvite: Command = {
  usage: "NAME ROLES [--port N]",
  bounds: { port: PORTS },
  does: "Adds an operator of the console, and prints the one link by which they add their passkey; N is the console's port",
  more: () => `ROLES are ${ROLES.join(", ")}: one, or several joined by commas. A name is one person's forever.`,
  async run(operator, { args, options }) {
    const [name, roles] = [readName(args.NAME!), readRoles(args.ROLES!)];
    const made = await operator.db.transact(async (tx) => {
      const row = { name, roles, state: "invited" as const, createdAt: operator.clock.now() };
      const [added] = await tx.insert(operators).values(row).onConflictDoNothing().returning({ id: operators.id });
      if (!added) throw new Refused(`there is an operator ${name}, or was one; choose another name`);
      return invite(tx, operator, added.id);
    });
    return linked(name, made, options.port);
  },
};

export const operatorRenew: Command = {
  usage: "NAME [--port N]",
  bounds: { port: PORTS },
  does: "Prints a new link for an operator whose device is lost; their passkeys and sessions end at once",
  async run(operator, { args, options }) {
    const made = await operator.db.transact(async (tx) => {
      const { id } = await needPerson(tx, args.NAME!);
      await tx.update(operators).set({ state: "invited" }).where(eq(operators.id, id));
      await tx.delete(operatorPasskeys).where(eq(operatorPasskeys.operatorId, id));
      // A first approval may be the thief's.
      const open = tx.select({ id: withdrawals.id }).from(withdrawals).where(eq(withdrawals.status, "review"));
      const isOpen = inArray(withdrawalApprovals.withdrawalId, open);
      await tx.delete(withdrawalApprovals).where(and(eq(withdrawalApprovals.operatorId, id), isOpen));
      return invite(tx, operator, id);
    });
    return linked(args.NAME!, made, options.port);
  },
};

export const operatorList: Command = {
  usage: "",
  does: "Lists the operators of the console: their roles, state and last proof by passkey",
  reads: true,
  async run({ db }) {
    const people = await db.read.select().from(operators).orderBy(asc(operators.id));
    const used = await db.read
      .select({ id: operatorPasskeys.operatorId, at: max(operatorPasskeys.lastUsedAt) })
      .from(operatorPasskeys)
      .groupBy(operatorPasskeys.operatorId);
    const lastOf = new Map(used.map(({ id, at }) => [id, at]));
    const list = people.map(({ id, name, roles, state, createdAt }) => ({
      name,
      roles,
      state,
      create_time: toSeconds(createdAt),
      last_used: toSeconds(lastOf.get(id) ?? 0),
    }));
    const lines = list.map(({ name, roles, state }) => `${name.padEnd(32)} ${state.padEnd(8)} ${roles.join(",")}`);
    return { text: lines.join("\n") || "There are no operators yet: operator:invite NAME ROLES", json: list };
  },
};

export const operatorRoles: Command = {
  usage: "NAME ROLES",
  does: "Changes what an operator may do, from their next request on",
  async run(operator, { args, caller }) {
    const roles = readRoles(args.ROLES!);
    await operator.db.transact(async (tx) => {
      const { id } = await needPerson(tx, args.NAME!);
      if (id === caller?.id) throw new Refused("nobody changes their own roles");
      await tx.update(operators).set({ roles }).where(eq(operators.id, id));
    });
    return { text: `${args.NAME} is ${roles.join(", ")} now.`, json: { ok: true, name: args.NAME, roles } };
  },
};

export const operatorRemove: Command = {
  usage: "NAME",
  does: "Removes an operator for good: their passkeys, link and sessions end at once, and what they did stays in the log",
  async run(operator, { args }) {
    await operator.db.transact(async (tx) => {
      const { id } = await needPerson(tx, args.NAME!);
      await tx.update(operators).set({ state: "removed" }).where(eq(operators.id, id));
      for (const table of [operatorPasskeys, operatorInvites]) await tx.delete(table).where(eq(table.operatorId, id));
    });
    return { text: `${args.NAME} is no operator any more.`, json: { ok: true, name: args.NAME } };
  },
};
