import { LOCALES, type LocaleCode } from "#shared/locales.ts";

/** What people read of a column or part of a command's output. A test asks for a row of each. */
export const COLUMNS: Readonly<Record<string, string>> = {
  amount: "Amount",
  at: "When",
  balance: "Balance after it",
  bank: "Bank",
  bankid: "Account number",
  caption: "Words over the picture",
  category: "Category",
  channel: "Payment channel",
  command: "Command",
  cooling_until: "Not before",
  create_time: "Since",
  created: "Added",
  days: "Days",
  demo: "Demonstration",
  desc: "Reason",
  durationMs: "Length",
  entries: "Newest entries",
  exclude_until: "On a break until",
  expect: "Round",
  failure: "Why it failed",
  fee: "Fee",
  fingerprint: "Fingerprint",
  first_approved_by: "Approved first by",
  from: "From",
  hearts: "Hearts",
  holder: "Account holder",
  host: "From",
  id: "Number",
  image: "Picture",
  key: "Game",
  kind: "What",
  last_used: "Last used",
  left: "What still needs it",
  link: "Where it leads",
  listing: "Listing",
  member_until: "Membership until",
  memo: "What it is",
  mobile: "Telephone",
  money: "Amount",
  name: "Name",
  number: "Order",
  outcome: "How it ended",
  passkeys: "Passkeys",
  picture: "Picture",
  plays: "Plays",
  price: "Price",
  publishedAt: "Published",
  reason: "Reason",
  received: "Received",
  reference: "Number at the channel",
  roles: "Roles",
  sessions: "Devices logged in",
  site: "For",
  state: "State",
  status: "Account",
  status_text: "State",
  stock: "What is left",
  surplus: "Paid too much",
  takenBack: "Why it was taken back",
  text: "Text",
  time: "When",
  title: "Title",
  type: "What",
  unit: "Unit",
  update_time: "Last change",
  url: "Picture",
  username: "Member",
  version: "Changes of the wallet",
  waiting_since: "Waiting since",
  weight: "Weight",
  who: "Who",
  why: "Why not",
  words: "On what, and how",
};

/** Codes for programs that stand beside their words, or of no use to people. */
const isHidden = (name: string, row: Readonly<Record<string, unknown>>): boolean =>
  name === "operatorId" || (name === "status" && "status_text" in row);

/** A text by language, as the commands that set it take it. */
export const isByLanguage = (row: Readonly<Record<string, unknown>>): row is Partial<Record<LocaleCode, string>> =>
  Object.keys(row).length > 0 && Object.keys(row).every((name) => LOCALES.some(({ code }) => code === name));

/** The columns that people see of rows with these names. */
export const shownOf = (row: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(row).filter((name) => !isHidden(name, row));

/** An account's status on the wire, in words. */
const ACCOUNT: Readonly<Record<string, string>> = { "0": "locked", "1": "active" };

export const accountStatus = (value: unknown): string => ACCOUNT[String(value)] ?? String(value);
