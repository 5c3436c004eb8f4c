import type { TextKey } from "#client/text/i18n.ts";
import { tagOf, type LocaleCode } from "#shared/locales.ts";
import { readTree, type Tree } from "./locale-texts.ts";

/** The app's texts in a language, as a browser shows them. */
export const wordsIn = (code: LocaleCode): Words => wordsOf(readTree(tagOf(code)));

/** The same of a language's texts. Placeholders without a value become `.+`, in a pattern; of plurals, the general one. */
export function wordsOf(texts: Tree) {
  const { app, option } = texts as { app: Tree; option: Tree };
  const words: Tree = { ...app, option };

  const at = (key: string) =>
    key.split(".").reduce<string | Tree | undefined>((tree, name) => (tree as Tree | undefined)?.[name], words);

  function find(key: TextKey): string {
    const found = at(key) ?? at(`${key}_other`);
    if (typeof found !== "string") throw new Error(`no text ${key}`);
    return found;
  }
  const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]|{}]/g, String.raw`\$&`);
  return {
    text: (key: TextKey) => find(key),
    like: (key: TextKey, values: Record<string, string> = {}) => {
      const parts = find(key).split(/\{\{(\w+)\}\}/);
      return new RegExp(
        parts
          .map((part, i) => (i % 2 ? escaped(values[part] ?? "\0") : escaped(part)))
          .join("")
          .replaceAll("\0", ".+"),
      );
    },
  };
}

export type Words = ReturnType<typeof wordsOf>;
