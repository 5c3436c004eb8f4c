import { randomBytes } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { KeptSalts, MemberSalt, SALT_BYTES, type Salts, type SaltSource } from "./member-salt.ts";

/** Members whose salts stay in memory. */
const MOST = 100_000;

const salters = new WeakMap<Sqlite.Database, (memberIds: readonly number[]) => Salts>();

/** The salts of members, which a connection reads once: they never change. */
export function salter(raw: Sqlite.Database): (memberIds: readonly number[]) => Salts {
  let own = salters.get(raw);
  if (!own) salters.set(raw, (own = newSalter(raw)));
  return own;
}

/** Reads the salts of members, each once. Those who have none get it. */
export function newSalter(raw: Sqlite.Database): (memberIds: readonly number[]) => Salts {
  const read = raw.prepare("select salt from member_salts where member_id = ?").pluck();
  const write = raw.prepare("insert or ignore into member_salts (member_id, salt) values (?, ?)");
  const erased = raw.prepare("select mark from erased_members where member_id = ?").pluck();
  const kept = raw.prepare("select name, salt from kept_salts where member_id = ?").raw();
  const known = new Map<number, SaltSource>();
  return (memberIds) => {
    let wanted = [...new Set(memberIds)].filter((memberId) => !known.has(memberId));
    if (known.size + wanted.length > MOST) {
      known.clear();
      wanted = [...new Set(memberIds)];
    }
    const missing = wanted.filter((memberId) => {
      const salt = read.get(memberId) as string | undefined;
      if (salt !== undefined) known.set(memberId, new MemberSalt(memberId, salt));
      const mark = salt === undefined ? (erased.get(memberId) as string | undefined) : undefined;
      if (mark) known.set(memberId, new KeptSalts(mark, kept.all(memberId) as [string, string][]));
      return !known.has(memberId);
    });
    if (missing.length > 0) {
      immediately(raw, () => {
        for (const memberId of missing) write.run(memberId, randomBytes(SALT_BYTES).toString("hex"));
      });
    }
    for (const memberId of missing) known.set(memberId, new MemberSalt(memberId, read.get(memberId) as string));
    return known;
  };
}
