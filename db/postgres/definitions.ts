import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Definition, Definitions } from "#db/definition-hashes.ts";
import type { Tx } from "#db/db.ts";

const MIGRATIONS = join(import.meta.dirname, "..", "migrations", "postgres");
/** The list that `npm run db:definitions` makes: on a live server nothing can be migrated to compare with. */
export const LIST = join(MIGRATIONS, "meta", "_definitions.json");

/** The definitions that migrations make, and a hash of those migrations. */
export interface DefinitionList {
  of: string;
  names: Record<string, string>;
}

/** A hash of all migrations. */
export function hashOfMigrations(folder = MIGRATIONS): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort())
    if (name.endsWith(".sql")) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}

export async function migratedDefinitions(): Promise<Definitions> {
  const { names } = JSON.parse(readFileSync(LIST, "utf8")) as DefinitionList;
  return new Map(Object.entries(names));
}

export const DEFINITIONS = `
  with own as (select oid as space from pg_namespace where nspname = current_schema()),
  tables as (select oid, relname, relrowsecurity from pg_class, own where relnamespace = space and relkind in ('r', 'p'))
select 'table ' || relname as name, concat(relrowsecurity, string_agg(concat_ws(' ', attname,
    format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid)), ', ' order by attname)) as text
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = attrelid and adnum = attnum group by relname, relrowsecurity
union all
select 'constraint ' || relname || '.' || conname, concat(pg_get_constraintdef(c.oid), (select count(*) from pg_trigger
    where tgconstraint = c.oid and tgenabled <> 'O'))
  from pg_constraint c join tables on conrelid = tables.oid where contype in ('c', 'f', 'p', 'u', 'x')
union all
select 'index ' || i.relname, concat(pg_get_indexdef(i.oid), indisvalid)
  from pg_index join tables on indrelid = tables.oid join pg_class i on i.oid = indexrelid
  where not exists (select from pg_constraint where conindid = indexrelid)
union all
select 'trigger ' || relname || '.' || tgname, concat(pg_get_triggerdef(t.oid), tgenabled)
  from pg_trigger t join tables on tgrelid = tables.oid where not tgisinternal
union all
select 'function ' || proname, string_agg(pg_get_functiondef(p.oid), ' ' order by p.oid::regprocedure::text)
  from pg_proc p, own where pronamespace = space and prokind in ('f', 'p')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  group by proname
union all
select 'rule ' || relname || '.' || rulename, pg_get_ruledef(r.oid) from pg_rewrite r join tables on ev_class = tables.oid`;

/** Everything in the schema that the tables are in. Functions of extensions are not counted. */
export async function listDefinitions(read: Tx): Promise<Definition[]> {
  return read
    .select({ name: sql<string>`name`, text: sql<string>`text` })
    .from(sql`(${sql.raw(DEFINITIONS)}) as defined`);
}
