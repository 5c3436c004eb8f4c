import type { TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";

/** Names a game kind's options, by their code on the wire, in the reader's language. */
export function useOptionName(kind: string): (type: string) => string {
  const text = useText();
  const options = GAME_KINDS.get(kind)?.options ?? [];
  return (type) => {
    const name = options.find((option) => option.type === type)?.name;
    // A game kind newer than this page: show the code until the page is reloaded.
    return name ? text(name.key as TextKey, name.values) : type;
  };
}
