import type { TextKey } from "#client/text/i18n.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { useText } from "#client/text/use-text.ts";

/** Names the options of a kind of game, by their code on the wire, in the reader's language. */
export function useOptionName(kind: string): (type: string) => string {
  const text = useText();
  const options = GAME_KINDS.get(kind)?.options ?? [];
  return (type) => {
    const name = options.find((option) => option.type === type)?.name;
    // A kind that is newer than this page: its code, until the page is loaded anew.
    return name ? text(name.key as TextKey, name.values) : type;
  };
}

/** Whether an option of a kind pays by how often it falls, so that no single rate says what it pays. */
export const paysByTimes = (kind: string, type: string): boolean =>
  (GAME_KINDS.get(kind)?.options.find((option) => option.type === type)?.most ?? 1) > 1;
