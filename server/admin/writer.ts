import { runWriter } from "#db/sqlite/writer.ts";

// An operator's process runs transactions only: it takes no bets, settles nothing and seals nothing.
runWriter({}, {});
