import type { Me } from "#shared/console.ts";
import { DIVIDER } from "#shared/format.ts";
import { plain } from "./api.ts";

type Row = Record<string, unknown>;

/** One thing that waits for a decision. */
export interface Case {
  id: string;
  title: string;
  row: Row;
}

/** What may be done with a case, and by which key. */
export interface Action {
  key: string;
  label: string;
  command: string;
  /** What the operator writes first: the option of the command that takes it. */
  asks?: "reason" | "text";
  args?: Record<string, string>;
  options?: Record<string, string>;
  /** The command that takes it back, with the same words. */
  undo?: string;
}

export interface Queue {
  name: string;
  title: string;
  /** The command that lists it. */
  list: string;
  pick(rows: Row[]): Case[];
  actions(one: Case): Action[];
  /** The command that shows what happened before, and its words. */
  before?(one: Case): { command: string; args: Record<string, string>; options?: Record<string, string> };
}

const text = (row: Row, name: string) => plain(row[name]);
const member = ({ row }: Case) => ({ command: "member:show", args: { NAME: text(row, "username") } });

/** What people work through. Each is shown to those who may list it. */
const QUEUES: Queue[] = [
  {
    name: "withdrawals",
    title: "Withdrawals",
    list: "withdraw:list",
    pick: (rows) =>
      rows
        .filter((row) => row.status_text === "review" || row.status_text === "approved")
        .map((row) => ({ id: text(row, "id"), title: `${text(row, "username")}${DIVIDER}${text(row, "money")}`, row })),
    actions({ id, row }) {
      const args = { ID: id };
      const reject: Action = { key: "r", label: "Reject", command: "withdraw:reject", asks: "reason", args };
      return row.status_text === "review"
        ? [{ key: "a", label: "Approve", command: "withdraw:approve", args }, reject]
        : [
            { key: "p", label: "Paid out", command: "withdraw:pay", args },
            reject,
            { key: "n", label: "Account number", command: "withdraw:account", args },
          ];
    },
    before: member,
  },
  {
    name: "recharges",
    title: "Top-ups in doubt",
    list: "recharge:review",
    pick: (rows) =>
      rows.map((row) => ({
        id: text(row, "id"),
        title: `${text(row, "username")}${DIVIDER}${text(row, "received")}`,
        row,
      })),
    actions: ({ id }) => [
      { key: "a", label: "Credit", command: "recharge:review", asks: "reason", options: { credit: id } },
      { key: "r", label: "Refund", command: "recharge:review", asks: "reason", options: { refund: id } },
      { key: "d", label: "Refunded by hand", command: "recharge:review", options: { refunded: id } },
    ],
    before: member,
  },
  {
    name: "messages",
    title: "Messages",
    list: "message:list",
    pick: (rows) => rows.map((row) => ({ id: text(row, "username"), title: text(row, "username"), row })),
    actions: ({ id }) => [
      { key: "a", label: "Answer", command: "message:answer", asks: "text", args: { NAME: id } },
      { key: "r", label: "Close", command: "message:close", args: { NAME: id } },
    ],
    before: ({ id }) => ({ command: "message:show", args: { NAME: id }, options: { pictures: "1" } }),
  },
  {
    name: "comments",
    title: "Comments",
    list: "comment:list",
    pick: (rows) =>
      rows
        .filter((row) => row.state === "waiting")
        .map((row) => ({ id: text(row, "id"), title: `${text(row, "username")}: ${text(row, "text")}`, row })),
    actions: ({ id }) => [
      { key: "a", label: "Show", command: "comment:show", args: { ID: id }, undo: "comment:hide" },
      { key: "r", label: "Hide", command: "comment:hide", args: { ID: id }, undo: "comment:show" },
    ],
    before: member,
  },
  {
    name: "rounds",
    title: "Failed rounds",
    list: "round:failed",
    pick: (rows) =>
      rows.map((row) => ({
        id: `${text(row, "key")} ${text(row, "expect")}`,
        title: `${text(row, "key")} ${text(row, "expect")}`,
        row,
      })),
    actions: ({ row }) => [
      {
        key: "a",
        label: "Retry",
        command: "round:retry",
        args: { KEY: text(row, "key"), EXPECT: text(row, "expect") },
      },
    ],
  },
];

export const mayGive = (me: Me, command: string): boolean => me.commands.some(({ name }) => name === command);

export const openQueues = (me: Me): Queue[] => QUEUES.filter(({ list }) => mayGive(me, list));
