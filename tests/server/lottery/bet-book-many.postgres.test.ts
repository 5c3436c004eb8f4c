import { describe } from "vitest";
import { describeSettlingMany } from "./bet-book-many.contract.ts";
import { openBookWorld } from "./book-world.postgres.ts";

describe("the bet book on PostgreSQL bears very many bets", () => {
  describeSettlingMany(openBookWorld);
});
