import { randomBytes } from "node:crypto";
import type pg from "pg";
import { KeptSalts, MemberSalt, SALT_BYTES, type Salts, type SaltSource } from "./member-salt.ts";

const READ = "select member_id, salt from member_salts where member_id = any($1)";
const ERASED = `select e.member_id, e.mark, s.name, s.salt from erased_members e
  left join kept_salts s on s.member_id = e.member_id where e.member_id = any($1)`;
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
  const unknown = wanted.filter((memberId) => !known.has(memberId));
  if (unknown.length === 0) return known;
  const erased = await erasedAmong(pool, unknown);
  const missing = unknown.filter((memberId) => !erased.has(memberId));
  if (missing.length === 0) return new Map<number, SaltSource>([...known, ...erased]);
  await pool.query(WRITE, [missing, missing.map(() => randomBytes(SALT_BYTES).toString("hex"))]);
  return new Map<number, SaltSource>([...(await read()), ...erased]);
}

async function erasedAmong(pool: pg.Pool, memberIds: readonly number[]): Promise<Map<number, KeptSalts>> {
  type Row = [memberId: number, mark: string, name: string, salt: string];
  const { rows } = await pool.query<Row>({ text: ERASED, values: [memberIds], rowMode: "array" });
  const byMember = Map.groupBy(rows, ([memberId]) => memberId);
  const saltsOfRows = (all: Row[]) =>
    new KeptSalts(
      all[0]![1],
      all.map(([, , name, salt]) => [name, salt]),
    );
  return new Map([...byMember].map(([memberId, all]) => [memberId, saltsOfRows(all)]));
}
