import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { balancesIn, checkExport, unlisted } from "#shared/log/check-export.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { balancesOf } from "./balances.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptReceipt } from "./kept.ts";
import type { ExportChecked, Held, Requests } from "./messages.ts";
import { endOf } from "./origins.ts";
import type { Found } from "./surroundings.ts";

const NOT_CHECKED: ExportChecked = { state: "unknown", bets: 0 };

/** Orders of bets. A comment may change while the file is written, so the app does not judge those. */
const isOfMoney = (id: string): boolean => /^(bet_|entries )/.test(id);

/** What is kept of a member before a download begins: the file has to have all of it. */
export async function heldNow(member: string, kept: Kept): Promise<Held> {
  const orders = (await kept.receipts(member)).map(({ order }) => order);
  const origin = (await kept.currentLog())?.origin ?? "";
  return { orders, version: (await balancesOf(kept, member, origin)).at(-1)?.version ?? 0 };
}

/**
 * Compares an export with what this device keeps: the head in it follows from what was seen, its rows lead to that head,
 * and each bet whose receipt, and each balance whose note was kept before the download stands in it.
 */
export async function checkOwnExport(
  { member, held, text }: Requests["export"]["input"],
  { kept, heads, found, doubt }: { kept: Kept; heads: Heads; found: Found; doubt: Found },
): Promise<ExportChecked> {
  const file = parsed(text);
  const checked = file && checkExport(file, []);
  const before = await heads.today();
  if (!file || !before) return NOT_CHECKED;
  const isHeld = checked && (await heads.hold(checked.note)) !== null;
  const now = (await heads.today())!;
  const { origin } = now;
  const { receipts, lacking, isComplete, lost } = await compareBets(file, { kept, member, held, origin });
  const told = balancesIn(file);
  const signed = (await balancesOf(kept, member, origin)).filter(({ version }) => version <= held.version);
  const changes = signed.filter(({ version, balance }) => version > 0 && told[version - 1] !== balance);
  const owed = [
    ...changes.map(({ version }) => `entries ${version}`),
    ...lacking,
    ...(checked?.faulty.filter(isOfMoney) ?? ["head"]),
  ].filter((one) => !lost.has(one));
  const faults = [...new Set(owed)];
  if (faults.length === 0) return isHeld && isComplete ? { state: "right", bets: receipts.length } : NOT_CHECKED;
  const shown = checked?.head.origin ?? origin;
  // A file of this log convicts by itself. That of another one may be right there.
  const standing = shown === origin ? "still" : endOf(shown, now) === null ? await heads.standing(origin) : "another";
  if (standing === "another") return NOT_CHECKED;
  const hash = bytesToHex(sha256(utf8ToBytes(text)));
  const missed = receipts.filter(({ order }) => faults.includes(order));
  const signature = text.trimEnd().split("\n").at(-1);
  const isUnclear = standing === "unclear";
  await (isUnclear ? doubt : found)(
    "export",
    hash,
    { faults, receipts: missed, balances: changes, head: checked?.note ?? null, hash, signature },
    member,
  );
  return isUnclear ? NOT_CHECKED : { state: "wrong", bets: receipts.length };
}

/** The kept receipts beside an export. A bet of a log before this one may be lost, and the house has said so. */
async function compareBets(
  file: object,
  { kept, member, held, origin }: { kept: Kept; member: string; held: Held; origin: string },
) {
  const receipts = (await kept.receipts(member)).filter(({ order }) => held.orders.includes(order));
  const older = receipts.filter((one) => one.origin !== origin);
  const current = receipts.filter((one) => one.origin === origin);
  const unlistedOf = (some: KeptReceipt[]) =>
    unlisted(
      file,
      some.flatMap(({ receipt }) => parseReceipt(receipt)?.bet ?? []),
    );
  const lacking = unlistedOf(current);
  const isComplete = lacking.length === 0 && unlistedOf(older).length === 0;
  const lost = new Set(older.map(({ order }) => order));
  // A later bet may have the name of one that was lost.
  for (const { order } of current) lost.delete(order);
  return { receipts, lacking, isComplete, lost };
}

/** Null for what is no JSON, such as a file that was cut. */
function parsed(text: string): object | null {
  try {
    const file: unknown = JSON.parse(text);
    return typeof file === "object" ? file : null;
  } catch {
    return null;
  }
}
