import type { Seeds } from "#client/screens/wheel/kept-pairs.ts";

/** What a new member is answered: a commit, and no words yet. */
export const newMember = (member: string, commit: string): Seeds => ({
  member,
  number: null,
  commit: null,
  client_seed: null,
  words_by: null,
  table: null,
  nonce: 0,
  spins_left: 1,
  spins_daily: 1,
  spin_price: "0.00",
  next_commit: commit,
  next_number: 0,
  previous: null,
});
