import { stat } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { basename } from "node:path";
import { desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { operatorActs } from "#db/schema/operators.ts";
import { toSeconds } from "#shared/time.ts";
import { memberConcerned } from "./concerned.ts";
import { fieldsOf } from "./usage.ts";
import { hashFile } from "./video/work-folder.ts";
import { Misused, type Caller, type Command, type CommandInput, type CommandOutput, type Operator } from "./command.ts";

type Outcome = "done" | "refused" | "failed";

/** A command as somebody entered it. */
interface Entered {
  name: string;
  input: CommandInput;
  caller: Caller;
  /** The files that it read, by size and hash. */
  files?: readonly string[];
}

const LONGEST = 500;
/** Control and formatting characters: the list is read in a terminal. */
const HIDDEN = /[\p{Cc}\p{Cf}]/gu;

const plain = (text: string): string => text.replace(HIDDEN, "\uFFFD").slice(0, LONGEST);

/** Whether a command with this input writes nothing. */
export const onlyReads = ({ reads = false }: Pick<Command, "reads">, input: CommandInput): boolean =>
  typeof reads === "function" ? reads(input) : reads;

/** Runs a command. One that only reads gets a database that takes no writes; of any other it is noted who ran it. */
export async function runCommand(
  operator: Operator,
  name: string,
  command: Command,
  given: CommandInput & { caller: Caller },
  noted: CommandInput = given,
): Promise<CommandOutput> {
  const { caller } = given;
  if (!onlyReads(command, given)) {
    const entered = { name, input: noted, caller, files: await filesOf(command, given) };
    return runNoted(operator, entered, (noting) => command.run(noting, given));
  }
  const transact = () => Promise.reject(new Error(`${name} only reads`));
  return command.run({ ...operator, db: { ...operator.db, transact } }, given);
}

/** The files that a command is about to read, as they are now: who has such a file can show that it is the one. */
async function filesOf(command: Command, { args, options }: CommandInput): Promise<string[]> {
  const paths = fieldsOf(command).flatMap(({ name, kind, isOption }) => {
    const word = (isOption ? options : args)[name];
    if (word === undefined) return [];
    if (kind === "captions") return word.split(",").map((part) => part.replace(/^[\w-]+=/, ""));
    return kind === "file" ? [word] : [];
  });
  const noted: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    // The command says what is wrong with any other.
    if (!found?.isFile()) continue;
    const hash = await hashFile(path).catch(() => null);
    if (hash !== null) noted.push(`(${plain(basename(path))}: ${found.size} bytes, SHA-256 ${hash})`);
  }
  return noted;
}

/**
 * Runs a command that may write, and leaves one row of it: who, where, what and why. The row is in the transaction of the
 * first write, so there is no effect without it.
 */
export async function runNoted<T>(
  operator: Operator,
  entered: Entered,
  work: (noting: Operator) => Promise<T>,
): Promise<T> {
  let state: "none" | "writing" | "written" = "none";
  const leave = (outcome: Outcome, why: string | null) =>
    operator.db.transact((tx) => addAct(tx, operator, entered, outcome, why));
  const transact: Operator["db"]["transact"] = async (own, kind) => {
    const isFirst = state === "none";
    if (!isFirst) return operator.db.transact(own, kind);
    state = "writing";
    try {
      const result = await operator.db.transact(async (tx, afterCommit) => {
        await addAct(tx, operator, entered, "done", null);
        return own(tx, afterCommit);
      }, kind);
      state = "written";
      return result;
    } catch (error) {
      state = "none";
      throw error;
    }
  };
  try {
    const result = await work({ ...operator, db: { ...operator.db, transact } });
    if (state === "none") await leave("done", null);
    return result;
  } catch (error) {
    // Whoever used it wrongly did nothing. A database that is away takes no row; the first error is the one to tell.
    if (!(error instanceof Misused)) await leave(...failureOf(error as Error)).catch(() => {});
    throw error;
  }
}

/**
 * The name that it is given may be a member's only once the act is sealed. Nothing would say then that it has to go with
 * them, so it is not noted.
 */
const MAKES_MEMBERS_LATER = "sso:link";

const failureOf = (error: Error): [Outcome, string] =>
  error.name === "Refused" || error.name === "Refusal" ? ["refused", error.message] : ["failed", error.name];

async function addAct(
  tx: Tx,
  { clock, announce }: Operator,
  { name, input, caller, files = [] }: Entered,
  outcome: Outcome,
  why: string | null,
): Promise<void> {
  const { reason, ...options } = input.options;
  const memberId = await memberConcerned(tx, name, input);
  const args = memberId === null && name === MAKES_MEMBERS_LATER ? [] : Object.values(input.args);
  const named = Object.entries(options).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option} ${value}`],
  );
  const row = {
    at: clock.now(),
    who: plain(caller.who),
    host: plain(caller.host),
    operatorId: caller.id,
    command: name,
    words: [plain([...args, ...named].join(" ")), ...files].join(" "),
    reason: reason === undefined ? null : plain(reason),
    outcome,
    why: why === null ? null : plain(why),
    memberId,
  };
  const [made] = await tx.insert(operatorActs).values(row).returning({ id: operatorActs.id });
  await announce(tx, "operator.acted", { actId: made!.id, command: name, outcome, memberId });
}

/** The system's user who runs the program. Behind sudo that is the one who asked for it. */
export function shell({ SUDO_USER }: Record<string, string | undefined>): Caller {
  const user = nameOfUser();
  return { id: null, who: SUDO_USER ? `${SUDO_USER} as ${user}` : user, host: hostname() };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run a number that has no name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

const NEWEST = 200;

export const operatorsLog: Command = {
  usage: "",
  does: `Lists the newest ${NEWEST} acts of operators: when, who, where, what, why, and how it ended`,
  reads: true,
  async run({ db }) {
    const rows = await db.read.select().from(operatorActs).orderBy(desc(operatorActs.id)).limit(NEWEST);
    const lines = rows.map(({ at, who, host, operatorId, command, words, reason, outcome, why }) => {
      const caller = operatorId === null ? `${who}@${host}` : `operator ${who} from ${host}`;
      const end = [reason === null ? "" : `because: ${reason}`, why ?? ""].filter(Boolean).join("; ");
      return `${new Date(at).toISOString()}  ${caller}  ${outcome}  ${command} ${words}${end && `  (${end})`}`;
    });
    return {
      text: lines.join("\n") || "No operator did anything yet.",
      json: rows.map(({ memberId: _member, salt: _salt, content: _content, ...row }) => ({
        ...row,
        at: toSeconds(row.at),
      })),
    };
  },
};
