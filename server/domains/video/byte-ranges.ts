/** From the first byte to the last, both included. */
export interface Part {
  start: number;
  end: number;
}

/**
 * What a Range header asks for of so many bytes (RFC 9110, 14). Null for all of it: no header, another unit, several
 * ranges or what is none. `beyond` when nothing of it is there.
 */
export function partOf(header: string | undefined, size: number): Part | "beyond" | null {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return null;
  if (first === "") return suffix(Number(last), size);
  const [start, end] = [Number(first), last === "" ? size - 1 : Number(last)];
  if (last !== "" && end < start) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : "beyond";
}

const suffix = (length: number, size: number): Part | "beyond" =>
  length === 0 || size === 0 ? "beyond" : { start: Math.max(0, size - length), end: size - 1 };
