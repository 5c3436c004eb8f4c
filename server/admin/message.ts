import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { asc, desc, eq, isNotNull } from "drizzle-orm";
import { members } from "#db/schema/member.ts";
import { conversations, supportMessages } from "#db/schema/support.ts";
import { PICTURE_PLAN, storeForSupport } from "#server/domains/support/pictures.ts";
import { answerMember, closeConversation } from "#server/domains/support/write-message.ts";
import { encodePicture } from "#server/pictures/encode.ts";
import { Lines } from "#shared/contract/values.ts";
import { MOST_MESSAGE } from "#shared/contract/support.ts";
import { FALLBACK_LOCALE, mapLocalText, packText, readPacked } from "#shared/locales.ts";
import { MOST_PICTURE_BYTES, NoPicture } from "#shared/picture.ts";
import { toIso, toSeconds } from "#shared/time.ts";
import { Misused, Refused, type Command, type Operator } from "./command.ts";
import { BadFile, readPlainFile } from "./read-file.ts";
import { needMember, readText } from "./read-words.ts";

const LONGEST_WAITING = 200;
const NEWEST = 100;

export const messageList: Command = {
  usage: "",
  does: `Lists the members who wait for an answer from customer service, the longest wait first: at most ${LONGEST_WAITING}`,
  reads: true,
  async run({ db }) {
    const rows = await db.read
      .select({ username: members.username, locked: members.locked, since: conversations.waitingSince })
      .from(conversations)
      .innerJoin(members, eq(members.id, conversations.memberId))
      .where(isNotNull(conversations.waitingSince))
      .orderBy(asc(conversations.waitingSince), asc(conversations.memberId))
      .limit(LONGEST_WAITING);
    const list = rows.map(({ username, locked, since }) => ({
      username,
      status: locked ? 0 : 1,
      waiting_since: toSeconds(since!),
    }));
    const lines = rows.map(
      ({ username, locked, since }) => `${username.padEnd(21)} since ${toIso(since!)}${locked ? "  locked" : ""}`,
    );
    return { text: lines.join("\n") || "Nobody waits for an answer.", json: list };
  },
};

export const messageShow: Command = {
  usage: "NAME [--pictures FOLDER]",
  does: `Shows the newest ${NEWEST} messages of a member's conversation, the oldest first`,
  more: () => "--pictures writes their pictures into FOLDER, as svc_12.webp.",
  reads: true,
  async run({ db, storage }, { args, options }) {
    const member = await needMember(db.read, args.NAME!);
    const rows = await db.read
      .select()
      .from(supportMessages)
      .where(eq(supportMessages.memberId, member.id))
      .orderBy(desc(supportMessages.id))
      .limit(NEWEST);
    const list = rows.reverse().map(({ id, byOperator, text, picture, createdAt }) => ({
      id: `svc_${id}`,
      from: byOperator ? "support" : "member",
      text: byOperator ? readPacked(text, FALLBACK_LOCALE) : text,
      picture,
      create_time: toSeconds(createdAt),
    }));
    if (options.pictures !== undefined) await writePictures({ storage }, options.pictures, list);
    const lines = rows.map(({ id, byOperator, text, picture, createdAt }) => {
      const who = byOperator ? "support" : member.username;
      const words = byOperator ? readPacked(text, FALLBACK_LOCALE) : text;
      // A line of the member's begins like no line of ours.
      return `${toIso(createdAt)}  ${who}: ${picture === null ? words.replaceAll("\n", "\n    ") : `picture svc_${id}`}`;
    });
    return { text: lines.join("\n") || `${member.username} has no conversation.`, json: list };
  },
};

async function writePictures(
  { storage }: Pick<Operator, "storage">,
  folder: string,
  list: { id: string; picture: string | null }[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { id, picture } of list) {
    const file = picture && (await storage.find(picture));
    if (file) await writeFile(join(folder, `${id}.webp`), await buffer(file.read()));
  }
}

export const messageAnswer: Command = {
  usage: "NAME --text T [--file F]",
  local: ["text"],
  does: "Answers a member as customer service; the picture F follows the text",
  more: () =>
    `T is a text, or JSON by language, of up to ${MOST_MESSAGE} characters. The member reads it at once, and sees that it is new.`,
  async run(operator, { args, options }) {
    const text = readAnswer(options.text!);
    const { id: memberId, username } = await needMember(operator.db.read, args.NAME!);
    const picture = options.file === undefined ? null : await storePicture(operator, options.file);
    try {
      const ids = await operator.db.transact(async (tx) => {
        const said = await answerMember(tx, operator, memberId, { text, picture: null });
        const shown = picture === null ? [] : [await answerMember(tx, operator, memberId, { text: "", picture })];
        return [said, ...shown].map(({ id }) => `svc_${id}`);
      });
      return { text: `${username} is answered.`, json: { ok: true, ids } };
    } catch (error) {
      if (picture !== null) await operator.storage.remove(picture);
      throw error;
    }
  },
};

/** Packed into one string, and each language's part like a message of a member's. */
function readAnswer(word: string): string {
  const line = Lines(MOST_MESSAGE);
  return packText(
    mapLocalText(readText(word, "--text"), (part) => {
      const text = line.safeParse(part);
      if (!text.success) throw new Misused(`--text must have 1 to ${MOST_MESSAGE} characters`);
      return text.data;
    }),
  );
}

async function storePicture(operator: Operator, path: string): Promise<string> {
  try {
    const { files } = await encodePicture(await readPlainFile(path, MOST_PICTURE_BYTES), PICTURE_PLAN);
    return await storeForSupport(operator, files[0]!.bytes);
  } catch (error) {
    if (error instanceof BadFile || error instanceof NoPicture) throw new Refused(`${path}: ${error.message}`);
    throw error;
  }
}

export const messageClose: Command = {
  usage: "NAME",
  does: "Takes a member off message:list without an answer; their next message puts them back",
  async run(operator, { args }) {
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    if (!(await operator.db.transact((tx) => closeConversation(tx, id))))
      throw new Refused(`${username} does not wait for an answer`);
    return { text: `${username} waits no longer.`, json: { ok: true, username } };
  },
};
