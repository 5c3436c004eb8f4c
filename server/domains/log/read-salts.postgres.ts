import { randomBytes } from "node:crypto";
import type pg from "pg";
import { MemberSalt, SALT_BYTES, type Salts } from "./member-salt.ts";

const READ = "select member_id, salt from member_salts where member_id = any($1)";
const WRITE =
  "insert into member_salts (member_id, salt) select * from unnest($1::bigint[], $2::text[]) on conflict do nothing";

/** The salts of members, as read-salts.sqlite.ts reads them. */
export async function saltsOf(pool: pg.Pool, memberIds: readonly number[]): Promise<Salts> {
  const wanted = [...new Set(memberIds)];
  const read = async () => {
    const { rows } = await pool.query<[number, string]>({ text: READ, values: [wanted], rowMode: "array" });
    return new Map(rows.map(([memberId, salt]) => [memberId, new MemberSalt(memberId, salt)]));
  };
  const known = await read();
  const missing = wanted.filter((memberId) => !known.has(memberId));
  if (missing.length === 0) return known;
  await pool.query(WRITE, [missing, missing.map(() => randomBytes(SALT_BYTES).toString("hex"))]);
  return read();
}
