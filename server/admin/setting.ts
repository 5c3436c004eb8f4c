import { settings } from "#db/schema/site.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { SETTINGS } from "#server/domains/site/settings.ts";
import { Refusal } from "#shared/refusal.ts";
import { Refused, type Command } from "./command.ts";

const MASK = "********";

export const settingList: Command = {
  usage: "",
  does: "Lists all settings with their meaning; secrets are masked",
  async run({ db }) {
    const set = new Map((await db.read.select().from(settings)).map(({ name, value }) => [name, value]));
    const list = Object.entries(SETTINGS).map(([name, { meaning, fallback, secret }]) => {
      const value = set.has(name) ? set.get(name) : fallback;
      return { name, value: secret && value !== "" ? MASK : value, default: !set.has(name), meaning };
    });
    const lines = list.map(
      (row) => `${row.name.padEnd(22)} ${JSON.stringify(row.value)}\n${" ".repeat(23)}${row.meaning}`,
    );
    return { text: lines.join("\n"), json: list };
  },
};

export const settingSet: Command = {
  usage: "NAME VALUE",
  does: "Changes a setting on every server and every connected client at once",
  async run(operator, { args }) {
    const name = args.NAME!;
    try {
      const value = await operator.db.transact((tx) => setSetting(tx, operator, name, args.VALUE!), "fence");
      const shown = SETTINGS[name]!.secret ? MASK : JSON.stringify(value);
      return { text: `${name} is ${shown} now.`, json: { ok: true, name } };
    } catch (error) {
      if (error instanceof Refusal && error.reason === "setting.unknown")
        throw new Refused(`there is no setting ${name}; see setting:list`);
      if (error instanceof Refusal) throw error;
      throw new Refused(`${name}: ${(error as Error).message}`);
    }
  },
};
