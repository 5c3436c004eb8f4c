import type { Reasons } from "./explained-audit.ts";

/** Mutants of the log and its verifier that no test can notice. */
export const OF_LOG: Reasons = {
  "shared/log/check/game.ts": [
    [
      "const next = Math.min(to + 1, ...this.gaps.filter((gap) => gap.from > left).map((gap) => gap.from));",
      "const next = Math.min(to + 1, ...this.gaps.filter((gap) => gap.from >= left).map((gap) => gap.from));",
      "A gap from there has moved the beginning to its end.",
    ],
  ],
  "shared/log/check/hash-set.ts": [
    ["#size = 0;", "#size = 1;", "It grows a hash earlier."],
    ["#size = 0;", "#size = (-1);", "It grows a hash later."],
    [
      "if (4 * ++this.#size > this.#slots.length) this.#grow();",
      "if (5 * ++this.#size > this.#slots.length) this.#grow();",
      "How full it may get is no promise.",
    ],
    [
      "if (4 * ++this.#size > this.#slots.length) this.#grow();",
      "if ((3) * ++this.#size > this.#slots.length) this.#grow();",
      "How full it may get is no promise.",
    ],
    [
      "if (4 * ++this.#size > this.#slots.length) this.#grow();",
      "if (4 * ++this.#size >= this.#slots.length) this.#grow();",
      "It grows a hash earlier.",
    ],
    ["if (isMet) this.#size--;", "if (isMet) ;", "It grows earlier where hashes come again."],
    [
      "if (this.#slots[i + 1] !== 0) insert(larger, this.#slots[i]!, this.#slots[i + 1]!);",
      "if (this.#slots[i + 1] !== (-1)) insert(larger, this.#slots[i]!, this.#slots[i + 1]!);",
      "To put nothing into an empty slot leaves it empty.",
    ],
    [
      "const places = slots.length / 2;",
      "const places = slots.length * 2;",
      "What lies behind the end is no place: the search goes on, and takes longer.",
    ],
    [
      "const places = slots.length / 2;",
      "const places = slots.length / (1);",
      "What lies behind the end is no place: the search goes on, and takes longer.",
    ],
    [
      "for (let i = 0; i < places; i++) {",
      "for (let i = 1; i < places; i++) {",
      "Where in the set a search begins is no promise.",
    ],
    [
      "for (let i = 0; i < places; i++) {",
      "for (let i = (-1); i < places; i++) {",
      "Where in the set a search begins is no promise.",
    ],
    [
      "for (let i = 0; i < places; i++) {",
      "for (let i = 0; i <= places; i++) {",
      "A search finds an empty place before.",
    ],
    [
      "const at = 2 * ((one + i) & (places - 1));",
      "const at = 2 * ((one - i) & (places - 1));",
      "It may as well search backwards.",
    ],
    [
      "const at = 2 * ((one + i) & (places - 1));",
      "const at = 2 * ((one + i) & (places - 2));",
      "It may as well use every second place.",
    ],
    ['throw new RangeError("the set is full");', ";", "It never is: it grows before."],
  ],
  "shared/log/check/head-times.ts": [
    [
      "this.last = Math.max(time, before ?? time);",
      "this.last = Math.max(time, (before));",
      "No time of a log is negative.",
    ],
  ],
  "shared/log/check/house-check.ts": [["#batch = 0;", "#batch = (-1);", "No batch has a number below 0."]],
  "shared/log/check/round-check.ts": [
    [
      "if (last !== undefined && last + 1 < ordinal)",
      "if (last !== undefined || last + 1 < ordinal)",
      "Rounds are looked for where there are none: it only takes longer.",
    ],
    [
      "if (last !== undefined && last + 1 < ordinal)",
      "if (last !== undefined && last - 1 < ordinal)",
      "Rounds are looked for where there are none: it only takes longer.",
    ],
    [
      "if (last !== undefined && last + 1 < ordinal)",
      "if (last !== undefined && last + (0) < ordinal)",
      "Rounds are looked for where there are none: it only takes longer.",
    ],
    [
      "if (last !== undefined && last + 1 < ordinal)",
      "if (last !== undefined && last + 1 <= ordinal)",
      "Rounds are looked for where there are none: it only takes longer.",
    ],
    [
      "const isBefore = this.#game.opened.length === 0 || (ordinal !== null && ordinal < this.#game.opened[0]!);",
      "const isBefore = this.#game.opened.length === 0 || (ordinal !== null && ordinal <= this.#game.opened[0]!);",
      "The first of them was opened, and is found.",
    ],
  ],
  "shared/log/check/round-marks.ts": [
    [
      "if (number <= last) return bytesToHex(this.#walk(link, last - number)) === hex;",
      "if (number < last) return bytesToHex(this.#walk(link, last - number)) === hex;",
      "At the same number either way compares the seed with the link.",
    ],
  ],
  "shared/log/evidence/keys.ts": [
    [
      "return isSaid && (before === undefined || (leaf > before.leaf && batch >= before.batch));",
      "return isSaid && (before === undefined || (leaf >= before.leaf && batch >= before.batch));",
      "Two leaves that differ never stand in one place of a log.",
    ],
  ],
  "shared/log/read-tiles.ts": [
    [
      "for (let i = 0; i < width && end + 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
      "for (let i = 0; i < width && end + (1) <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
      "Past the end of a cut bundle the sum is no number, and such a bundle is refused either way.",
    ],
    [
      "if (subtree.level > 0 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "if (subtree.level >= 0 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "Hashes of leaves are kept, and nothing reads them there.",
    ],
    [
      "if (subtree.level > 0 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "if (subtree.level > (-1) && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "Hashes of leaves are kept, and nothing reads them there.",
    ],
    [
      "if (subtree.level > 0 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "if (subtree.level > 0 || Number.isInteger(level)) (above[level] ??= []).push(node);",
      "Hashes of other levels are kept, and nothing reads them there.",
    ],
    [
      "if (subtree.level > 0 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "if (subtree.level > 1 && Number.isInteger(level)) (above[level] ??= []).push(node);",
      "No tile begins at level 1.",
    ],
    [
      "for (let i = 0; i < width && end + 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
      "for (let i = 0; i < width && end - 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
      "Past the end of a cut bundle the sum is no number, and such a bundle is refused either way.",
    ],
  ],
  "shared/log/receipt.ts": [
    [
      "Array.isArray(stated) && Array.isArray(shown)",
      "Array.isArray(stated) || Array.isArray(shown)",
      "Only options are lists, and they are on both sides.",
    ],
  ],
  "shared/log/check/plan-check.ts": [
    [
      "if (day < from.slice(0, 8) || day > to.slice(0, 8)) continue;",
      "if (day < from.slice(0, 8) || day > to.slice(0, 9)) continue;",
      "A day with a hyphen behind it comes after the day, and before the next one.",
    ],
    [
      "const first = day === from.slice(0, 8) ? Number(from.slice(9)) : 1;",
      "const first = day === from.slice(0, 8) ? Number(from.slice(9)) : (0);",
      "No round has the number 0.",
    ],
    [
      "if (this.#hidden.length === 0) return;",
      "if (this.#hidden.length === (-1)) return;",
      "Where nothing is hidden, nothing is found.",
    ],
    [
      "(this.#game.days.get(round.slice(0, 8))?.reached ?? 0) < Number(round.slice(9));",
      "(this.#game.days.get(round.slice(0, 8))?.reached ?? (-1)) < Number(round.slice(9));",
      "No round has a number below 1.",
    ],
  ],
};
