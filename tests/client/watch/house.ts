import { bytesToHex } from "@noble/hashes/utils.js";
import type { Result, ToldClosing, WantedWitnesses } from "#shared/contract/events.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import type { fairHead, fairMine, fairOrigins, fairPayout, fairProof } from "#shared/contract/log.ts";
import { NO_END, type OwnLeaf } from "#client/watch/check-chain.ts";
import type { Event, Question, ToldOpening } from "#client/watch/messages.ts";
import { HouseLog } from "./house-log.ts";
import { provingTree } from "./proving-tree.ts";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import { balanceText, chainText, type ChainEndNote } from "#shared/log/chain-note.ts";
import { leafText, parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { noteText, signNote } from "#shared/log/note.ts";
import { batchText, receiptText, saltedLeaf } from "#shared/log/receipt.ts";
import {
  contentText,
  hashOfContent,
  markOf,
  parseChained,
  type ChainedKind,
  type Content,
} from "#shared/log/salted.ts";
import { chainOfDay, commitOf, drawOf, seedOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { MerkleTree } from "#shared/merkle.ts";
import { moneyLogOf } from "./money-log.ts";
import { DAY, DRAWN, drawOf as drawLeafOf, GAME, KIND, ODDS, openingOf, roundAt, timesOf } from "./game.ts";
import { bytes, sha256 } from "../../log/world.ts";

export { GAME, ODDS, roundAt };
export const MEMBER = "mem_7";
const ROUNDS = 50;

/** A house with one game, made by hand: it can keep its word, and each test lets it break one. */
export class House extends HouseLog {
  readonly owns: OwnLeaf[] = [];
  readonly #chain: Uint8Array;
  readonly #bets = new Map<string, Content<"bet">[]>();
  readonly #told = new Map<string, { leaf: string; number: number }>();
  readonly #stated = new Map<string, { leaf: string; number: number }>();
  /** What it paid the member in each round, as the log has it. */
  readonly #paid = new Map<string, Content<"payout">>();
  #lastSize: number | null = null;
  /** What settled bets won. */
  readonly paid = new Map<string, string>();
  /** Who is to sign beside it. */
  wanted: WantedWitnesses = { keys: [], needed: 0 };

  /** The leaf of its anchor, and the time of the head that holds it. */
  readonly told: { number: number; head: number; time: number };

  /** The word that its days come from: a restore leaves them. */
  readonly days: string;

  constructor(word = "house", first?: Leaf, time = 1, days = word) {
    super(word);
    this.days = days;
    this.#chain = chainOfDay(sha256(bytes(`day of ${days}`)), ROUNDS);
    if (first) this.state(first);
    const number = this.state({ kind: "anchor", game: GAME, day: DAY, anchor: this.anchor });
    this.state({ kind: "time", time });
    this.told = { number, head: this.size, time };
  }

  get anchor(): string {
    return bytesToHex(seedOf(this.#chain, 0));
  }

  seed = (number: number): string => bytesToHex(seedOf(this.#chain, number));
  commit = (number: number): string => commitOf(seedOf(this.#chain, number));
  open = (number: number, more: Partial<ToldOpening> = {}): Extract<Event, { type: "open" }> => ({
    type: "open",
    key: GAME,
    expect: roundAt(number),
    commit: this.commit(number),
    beacon: "none",
    closes: timesOf(number).closes,
    isOpen: true,
    kind: KIND,
    period: ODDS.period,
    ...more,
  });

  /** Takes a bet, and answers its receipt. */
  bet(
    order: string,
    number: number,
    more: Partial<Content<"bet">> = {},
    signer = this.signer,
  ): { placed: PlacedBet; receipt: string } {
    const terms = {
      order,
      game: GAME,
      round: roundAt(number),
      options: ["A", "7"],
      stake: 200,
      unit: "point",
    };
    const bet: Content<"bet"> = {
      kind: "bet",
      ...terms,
      member: markOf(markSalt, "7"),
      commit: this.commit(number),
      odds: "1",
      odds_hash: ODDS.hash,
      rule: "none",
      time: 5,
      ...more,
    };
    const round = bet.round;
    this.#bets.set(round, [...(this.#bets.get(round) ?? []), bet]);
    const tree = new MerkleTree();
    tree.add(saltedLeaf(saltOf(order), bet));
    const batch = ++this.batch;
    const { key } = signer;
    const signature = signer.sign(bytes(batchText(key.name, batch, { size: 1, root: tree.rootHash() })));
    const receipt = receiptText({
      origin: key.name,
      bet,
      salt: saltOf(order),
      markSalt,
      batch,
      index: 0,
      count: 1,
      path: [],
      keyId: key.id,
      signature,
    });
    return { placed: { ...terms, member: MEMBER }, receipt };
  }

  /** States on which terms a round opened. */
  stateOpen(number: number, more: Partial<Leaf<"open">> = {}): void {
    const leaf = { ...openingOf(number, this.commit(number)), ...more };
    this.#stated.set(`open ${roundAt(number)}`, { leaf: leafText(leaf), number: this.state(leaf) });
  }

  /** The opening of a round, and its number. */
  openingOf = (number: number): { leaf: string; number: number } => this.#stated.get(`open ${roundAt(number)}`)!;

  inclusion = (number: number): string[] => this.path(number);

  /** States what a round drew, in a head. */
  stateDraw(number: number, more: Partial<Leaf<"draw">> = {}): void {
    const leaf = { ...drawLeafOf(number, this.seed(number), this.dice(number)), ...more };
    this.#stated.set(`draw ${roundAt(number)}`, { leaf: leafText(leaf), number: this.state(leaf) });
    this.endHead();
  }

  /** States that the stakes of a round went back, in a head. */
  stateRefund(number: number, more: Partial<Leaf<"refund">> = {}): void {
    const { leaf: told } = this.#told.get(roundAt(number))!;
    const { game, round, bets, stake, bets_root } = parseLeaf(told) as Leaf<"close">;
    const leaf = { kind: "refund", game, round, bets, stake, bets_root, reason: "clock", at: 1, ...more } as const;
    this.#stated.set(`refund ${round}`, { leaf: leafText(leaf), number: this.state(leaf) });
    this.endHead();
  }

  /** States what a round paid in all, in a head, and of that `own` to the member. */
  stateSettle(number: number, payout: number, own = payout, more: Partial<Content<"payout">> = {}) {
    const round = roundAt(number);
    this.#paid.set(round, { ...payoutOf(round, own), ...more });
    const tree = this.#payoutsOf(round);
    const payouts_root = bytesToHex(tree.heads.at(-1)!.root);
    const leaf = { kind: "settle", game: GAME, round, payouts: 3, payout, payouts_root, settled: 11 } as const;
    const stated = { leaf: leafText(leaf), number: this.state(leaf) };
    this.#stated.set(`settle ${round}`, stated);
    this.endHead();
    return stated;
  }

  /** The payouts of a round, of which the second is the member's. */
  #payoutsOf(round: string) {
    const tree = provingTree();
    const own = this.#paid.get(round) ?? payoutOf(round, 0);
    for (const one of [payoutOf(round, 1), own, payoutOf(round, 2)])
      tree.add(saltedLeaf(saltOf(`payout ${round}`), one));
    return tree;
  }

  /** What a round paid the member, as the house answers it. */
  payout(order: string): ReplyOf<typeof fairPayout> {
    const { settle } = this.proof(order);
    const [round] = [...this.#bets].find(([, all]) => all.some((bet) => bet.order === order))!;
    const path = this.#payoutsOf(round).path(1, 3).map(bytesToHex);
    const content = contentText(this.#paid.get(round) ?? payoutOf(round, 0));
    return { settle, paid: { content, salt: bytesToHex(saltOf(`payout ${round}`)), index: 1, path } };
  }

  #treeOf(round: string) {
    const tree = provingTree();
    for (const bet of this.#bets.get(round) ?? []) tree.add(saltedLeaf(saltOf(bet.order), bet));
    return tree;
  }

  /** Closes a round: states it, with its opening if that was not stated yet, and tells its watchers. */
  close(number: number, more: Partial<Leaf<"close">> = {}): ToldClosing {
    const round = roundAt(number);
    if (!this.#stated.has(`open ${round}`)) this.stateOpen(number);
    const bets = this.#bets.get(round) ?? [];
    const root = bytesToHex(this.#treeOf(round).heads.at(-1)!.root);
    const stake = bets.reduce((sum, bet) => sum + bet.stake * bet.options.length, 0);
    const leaf: Leaf<"close"> = {
      kind: "close",
      game: GAME,
      round,
      bets: bets.length,
      stake,
      bets_root: root,
      closed: 9,
      ...more,
    };
    const at = this.state(leaf);
    this.endHead();
    this.#told.set(round, { leaf: leafText(leaf), number: at });
    return this.tell(number);
  }

  tell(number: number): ToldClosing {
    const { leaf, number: at } = this.#told.get(roundAt(number))!;
    const from = this.#lastSize;
    const { size } = this;
    this.#lastSize = size;
    return {
      key: GAME,
      expect: roundAt(number),
      head: this.note(),
      close: { leaf, number: at },
      path: this.path(at, size),
      consistency: from === null ? null : { from, path: this.consistency(from, size) },
    };
  }

  dice = (number: number, { rule, beacon } = { rule: "none", beacon: "" }): readonly number[] =>
    drawOf(rulesOf(KIND), seedOf(this.#chain, number), { gameKey: GAME, round: roundAt(number), rule, beacon });

  result(number: number, more: Partial<Result> = {}): Event {
    const view = { one: null, two: null, sum: 0 };
    const told = this.#told.get(roundAt(number));
    const head = told ? told.number + 2 : null;
    const result = { key: GAME, expect: roundAt(number), kind: KIND, opencode: this.dice(number), ...view };
    const mixed = { rule: "none", beacon: "", beacon_signature: "" };
    return { type: "result", result: { ...result, seed: this.seed(number), ...mixed, head, ...more } };
  }

  proof(order: string): ReplyOf<typeof fairProof> {
    const [round, bets] = [...this.#bets].find(([, all]) => all.some((bet) => bet.order === order))!;
    const index = bets.findIndex((bet) => bet.order === order);
    const tree = this.#treeOf(round);
    return {
      bet: contentText(bets[index]!),
      salt: bytesToHex(saltOf(order)),
      mark_salt: bytesToHex(markSalt),
      index,
      count: bets.length,
      path: tree.path(index, bets.length).map(bytesToHex),
      bets_root: bytesToHex(tree.heads.at(-1)!.root),
      close: this.#told.get(round) ?? null,
      open: this.#stated.get(`open ${round}`) ?? null,
      draw: this.#stated.get(`draw ${round}`) ?? null,
      settle: this.#stated.get(`settle ${round}`) ?? null,
      refund: this.#stated.get(`refund ${round}`) ?? null,
    };
  }

  fairRound(expect: string): ReplyOf<typeof fairRound> {
    const number = Number(expect.slice(-4));
    return {
      ...DRAWN,
      expect,
      index: number,
      commit: this.commit(number),
      seed: this.seed(number),
      opencode: [...this.dice(number)],
      anchor: this.anchor,
      closes: timesOf(number).closes,
      due: timesOf(number).draws,
      logged: { open: this.#stated.get(`open ${expect}`)?.number ?? null, anchor: this.told.number },
    };
  }

  /** Says something of the member's own: a leaf of their chain. */
  own<K extends ChainedKind>(said: Omit<Content<K>, "member" | "number" | "before" | "at">, at?: number): OwnLeaf {
    const before = this.owns.at(-1) ?? NO_END;
    const number = before.number + 1;
    const chained = { member: "7", number, before: before.hash, at: at ?? number };
    const content = { ...said, ...chained } as unknown as Content<ChainedKind>;
    const salt = saltOf(`own ${number}`);
    const hash = hashOfContent(salt, content);
    const index = this.state({ kind: content.kind, hash });
    this.endHead();
    const leaf = { number, hash, content: contentText(content), salt: bytesToHex(salt), place: { index, path: [] } };
    this.owns.push(leaf);
    return leaf;
  }

  /** Takes over a member's chain after a restore: it is in the log before, and this one states its end. */
  takeOver(owns: readonly OwnLeaf[]): void {
    this.owns.push(...owns.map((own) => ({ ...own, place: null })));
    const end = this.owns.at(-1);
    if (!end) return;
    const { kind } = parseChained(end.content)!;
    end.place = { index: this.state({ kind, hash: end.hash }), path: [] };
    this.endHead();
  }

  /** When notes are signed from now on. */
  chainTime: number | null = null;

  /** The end of the member's chain, signed. */
  chainNote(more: Partial<ChainEndNote> = {}): string {
    const { number, hash } = this.owns.at(-1) ?? NO_END;
    const { name: origin } = this.signer.key;
    const text = chainText({ origin, member: "7", number, hash, time: this.chainTime ?? 1_000 + number, ...more });
    return noteText(signNote({ text, signatures: [] }, this.signer));
  }

  /** The balance after a change, as it is answered and signed. */
  balance(version: number, balance: number, money = balance): Extract<Event, { type: "balance" }> {
    const text = balanceText({ origin: this.signer.key.name, member: "7", version, balance });
    const note = noteText(signNote({ text, signatures: [] }, this.signer));
    return { type: "balance", member: MEMBER, note, version, money: (money / 100).toFixed(2) };
  }

  mine(from = 1): ReplyOf<typeof fairMine> {
    const { size } = this;
    const inHead = ({ place, ...leaf }: OwnLeaf) => {
      if (place === null) return { ...leaf, place };
      const { index } = place;
      return { ...leaf, place: { index, path: this.path(index, size) } };
    };
    return { head: this.note(), chain: this.chainNote(), leaves: this.owns.slice(from - 1, from + 99).map(inHead) };
  }

  anchorsReply(more: Partial<ReplyOf<typeof fairAnchors>[number]> = {}): ReplyOf<typeof fairAnchors> {
    return [{ day: DAY, anchor: this.anchor, told: this.told, ...more }];
  }

  /** The logs after the first one. */
  origins: ReplyOf<typeof fairOrigins> = [];

  headReply(): ReplyOf<typeof fairHead> {
    return { head: this.note(), key: this.key, changes: this.changes, cosigned: null, witnesses: this.wanted };
  }

  /** What it paid in a round: more than was bet here. */
  credits = (_round: string): string | null => "999.00";

  moneyLog = () => moneyLogOf([...this.#bets.keys()], this.credits);

  /** Answers as the house does. */
  answer(question: Question, input: Record<string, string>): unknown {
    if (question === "head") return this.headReply();
    if (question === "origins") return this.origins;
    if (question === "hour") return this.hourReply();
    if (question === "anchors") return this.anchorsReply();
    if (question === "round") return this.fairRound(input["expect"]!);
    if (question === "mine") return this.mine(Number(input["from"]));
    if (question === "table") return this.table(input["hash"]!);
    if (question === "proof") return this.proof(input["id"]!);
    if (question === "payout") return this.payout(input["id"]!);
    if (question === "orders") return [{ id: input["id"]!, win: this.paid.get(input["id"]!) ?? null }];
    if (question === "money") return this.moneyLog();
    const [from, to] = [Number(input["from"]), Number(input["to"])];
    return to > this.size ? null : { from, to, path: this.consistency(from, to) };
  }
}

const markSalt = sha256(bytes("mark"));
const payoutOf = (round: string, amount: number): Content<"payout"> => ({
  kind: "payout",
  member: markOf(markSalt, "7"),
  game: GAME,
  round,
  bets: 1,
  amount,
  unit: "point",
});
const saltOf = (order: string) => sha256(bytes(`salt of ${order}`));
