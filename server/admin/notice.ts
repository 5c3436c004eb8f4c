import { desc } from "drizzle-orm";
import { notices } from "#db/schema/site.ts";
import { addNotice, takeNoticeBack } from "#server/domains/site/notices.ts";
import { localText } from "#shared/locales.ts";
import { toIso } from "#shared/time.ts";
import { type Command, Refused } from "./command.ts";
import { readText } from "./read-words.ts";

/** Notices that the list shows. */
const MOST = 200;

export const noticeAdd: Command = {
  usage: "--name T --text T",
  local: ["name", "text"],
  does: 'Publishes a notice; T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { options }) {
    const [name, text] = [readText(options.name!, "--name"), readText(options.text!, "--text")];
    const id = await operator.db.transact((tx) => addNotice(tx, operator, name, text));
    return { text: `Notice ntc_${id} is published.`, json: { ok: true, id: `ntc_${id}` } };
  },
};

export const noticeList: Command = {
  usage: "",
  does: `Lists the newest ${MOST} notices, and why some were taken back`,
  reads: true,
  async run({ db }) {
    const rows = await db.read.select().from(notices).orderBy(desc(notices.id)).limit(MOST);
    const json = rows.map(({ id, name, text, takenBack, createdAt }) => ({
      id: noticeWireId(id),
      at: toIso(createdAt),
      name: localText(name, "en_us"),
      text: localText(text, "en_us"),
      takenBack: takenBack === null ? null : localText(takenBack, "en_us"),
    }));
    const lines = json.map(({ id, at, name, takenBack }) =>
      [id, at, name, ...(takenBack === null ? [] : [`taken back: ${takenBack}`])].join("  "),
    );
    return { text: lines.join("\n") || "There are no notices.", json };
  },
};

export const noticeRemove: Command = {
  usage: "ID --reason T",
  local: ["reason"],
  does:
    "Takes a notice back: it keeps its place and its title, and members read the reason there instead; " +
    'T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args, options }) {
    const [id, reason] = [args.ID!, readText(options.reason!, "--reason")];
    const row = /^ntc_([1-9]\d{0,14})$/.exec(id)?.[1];
    const isTaken =
      row !== undefined && (await operator.db.transact((tx) => takeNoticeBack(tx, operator, Number(row), reason)));
    if (!isTaken) throw new Refused(`there is no notice ${id} that stands; see notice:list`);
    return { text: `${id} is taken back.`, json: { ok: true, id } };
  },
};

const noticeWireId = (id: number) => `ntc_${id}`;
