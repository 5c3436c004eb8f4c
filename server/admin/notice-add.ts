import { addNotice } from "#server/domains/site/notices.ts";
import { parseLocalText } from "#server/domains/site/settings.ts";
import type { LocalText } from "#shared/locales.ts";
import { Misused, type Command } from "./command.ts";

export const noticeAdd: Command = {
  usage: "--name T --text T",
  does: 'Puts up a notice; T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { options }) {
    const [name, text] = [readText(options.name!, "--name"), readText(options.text!, "--text")];
    const id = await operator.db.transact((tx) => addNotice(tx, operator, name, text));
    return { text: `Notice ntc_${id} is up.`, json: { ok: true, id: `ntc_${id}` } };
  },
};

export function readText(word: string, name: string): LocalText {
  if (word.trim() === "") throw new Misused(`${name} is empty`);
  try {
    return parseLocalText(word);
  } catch (error) {
    throw new Misused(`${name}: ${(error as Error).message}`);
  }
}
