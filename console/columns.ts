/** What people read of a column or part of a command's output. A test asks for a row of each. */
export const COLUMNS: Readonly<Record<string, string>> = {
  at: "When",
  balance: "Balance after it",
  bank: "Bank",
  bankid: "Account number",
  category: "Category",
  channel: "Payment channel",
  command: "Command",
  cooling_until: "Not before",
  create_time: "Since",
  created: "Added",
  demo: "Demonstration",
  desc: "Reason",
  durationMs: "Length",
  entries: "Newest entries",
  exclude_until: "On a break until",
  expect: "Round",
  failure: "Why it failed",
  fee: "Fee",
  first_approved_by: "Approved first by",
  from: "From",
  hearts: "Hearts",
  holder: "Account holder",
  host: "From",
  id: "Number",
  key: "Game",
  last_used: "Last used",
  listing: "Listing",
  member_until: "Member until",
  mobile: "Telephone",
  money: "Amount",
  name: "Name",
  number: "Order",
  outcome: "How it ended",
  passkeys: "Passkeys",
  picture: "Picture",
  plays: "Plays",
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
  surplus: "Paid too much",
  text: "Text",
  time: "When",
  title: "Title",
  type: "What",
  unit: "Unit",
  update_time: "Last change",
  username: "Member",
  version: "Changes of the wallet",
  waiting_since: "Waiting since",
  who: "Who",
  why: "Why not",
  words: "On what, and how",
};

/** Codes for programs that stand beside their words, or of no use to people. */
const isHidden = (name: string, row: Readonly<Record<string, unknown>>): boolean =>
  name === "operatorId" || (name === "status" && "status_text" in row);

/** The columns that people see of rows with these names. */
export const shownOf = (row: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(row).filter((name) => !isHidden(name, row));

/** An account's status on the wire, in words. */
const ACCOUNT: Readonly<Record<string, string>> = { "0": "locked", "1": "active" };

export const accountStatus = (value: unknown): string => ACCOUNT[String(value)] ?? String(value);
