import { describe } from "vitest";
import { describeSettlingMany } from "./bet-book-many.contract.ts";
import { openBookWorld } from "./book-world.sqlite.ts";

describe("the bet book on SQLite bears very many bets", () => {
  describeSettlingMany(openBookWorld);
});
