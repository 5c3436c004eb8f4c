import type { TextTree } from "#locales/languages.ts";

/** What stands in a text's places. `count` also chooses its plural form. */
type Values = Readonly<Record<string, string | number>>;

const PLACE = /\{\{(\w+)\}\}/g;

/**
 * The texts of languages by tag (BCP 47). A key is a path, `wallet.title`. A text has places, `{{name}}`, and, where it
 * counts something, a form for each plural of its language: `days_one`, `days_other`, by Unicode's rules (`Intl.PluralRules`).
 */
export class Dictionary {
  readonly #fallback: string;
  readonly #trees = new Map<string, TextTree>();
  readonly #plurals = new Map<string, Intl.PluralRules>();

  constructor(fallback: string) {
    this.#fallback = fallback;
  }

  has(tag: string): boolean {
    return this.#trees.has(tag);
  }

  add(tag: string, texts: TextTree): void {
    this.#trees.set(tag, texts);
  }

  /** A text in a language; in the fallback's where that lacks it; the key where both do. */
  text(tag: string, key: string, values: Values = {}): string {
    const found = this.#find(tag, key, values) ?? this.#find(this.#fallback, key, values) ?? key;
    return found.replaceAll(PLACE, (_, name: string) => String(values[name] ?? ""));
  }

  #find(tag: string, key: string, { count }: Values): string | undefined {
    const tree = this.#trees.get(tag);
    if (!tree) return undefined;
    if (typeof count !== "number") return at(tree, key);
    return at(tree, `${key}_${this.#pluralsOf(tag).select(count)}`) ?? at(tree, `${key}_other`) ?? at(tree, key);
  }

  #pluralsOf(tag: string): Intl.PluralRules {
    let rules = this.#plurals.get(tag);
    if (!rules) this.#plurals.set(tag, (rules = new Intl.PluralRules(tag)));
    return rules;
  }
}

function at(tree: TextTree, key: string): string | undefined {
  let found: string | TextTree | undefined = tree;
  for (const name of key.split("."))
    found = typeof found === "object" && Object.hasOwn(found, name) ? found[name] : undefined;
  return typeof found === "string" ? found : undefined;
}
