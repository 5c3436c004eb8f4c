import { randomBytes } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { MemberSalt, SALT_BYTES, type Salts } from "./member-salt.ts";

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
  const known = new Map<number, MemberSalt>();
  return (memberIds) => {
    let wanted = [...new Set(memberIds)].filter((memberId) => !known.has(memberId));
    if (known.size + wanted.length > MOST) {
      known.clear();
      wanted = [...new Set(memberIds)];
    }
    const missing = wanted.filter((memberId) => {
      const salt = read.get(memberId) as string | undefined;
      if (salt !== undefined) known.set(memberId, new MemberSalt(memberId, salt));
      return salt === undefined;
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
