import { runWriter } from "#db/sqlite/writer.ts";

// An operator's process writes by transactions alone: it takes no bets, settles nothing and seals nothing.
runWriter({}, {});
