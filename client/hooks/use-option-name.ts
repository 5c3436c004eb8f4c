import { useText } from "./use-text.ts";

const EVENS = { A: "option.A", B: "option.B", C: "option.C", D: "option.D" } as const;
const isEven = (type: string): type is keyof typeof EVENS => Object.hasOwn(EVENS, type);

/** Names an option of the wire in the reader's language: its word, or its sum. */
export function useOptionName(): (type: string) => string {
  const text = useText();
  return (type) => (isEven(type) ? text(EVENS[type]) : text("option.sum", { sum: type }));
}
