/**
 * A browser's storage of its own for each file of tests. Files of one worker share their modules: without it, what a phone
 * kept of one house would be held against the next house, whose first member has the same name.
 */
const kept = new Map<string, string>();

Object.defineProperty(globalThis, "localStorage", {
  configurable: true,
  value: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
  },
});
