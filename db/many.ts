import { dialect } from "./columns.ts";
import * as postgres from "./postgres/many.ts";
import * as sqlite from "./sqlite/many.ts";

// Work on many rows in few statements and few messages, as it is cheapest on each engine.
const engine = dialect === "postgres" ? (postgres as unknown as typeof sqlite) : sqlite;

export const { areOneOf, insertOf, insertRows, isOneOf, isOneOfNamed, listed, together } = engine;
