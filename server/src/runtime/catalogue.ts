import type pg from "pg"

export type TriggerEvent = "INSERT" | "UPDATE" | "DELETE" | "TRUNCATE"

export interface Trigger {
  name: string
  table: string
  timing: "before" | "after"
  level: "row" | "statement"
  /** The trigger runs at the end of the transaction. */
  isDeferred: boolean
  events: TriggerEvent[]
  /** The columns of `update of`; empty means any. */
  columns: string[]
  condition: string | null
  function: string
}

export interface Constraint {
  name: string
  kind: "primary key" | "unique" | "foreign key" | "check" | "exclude"
  columns: string[]
  definition: string
  target: string | null
  onDelete: "restricts" | "cascades" | "sets null" | null
}

/** Columns of the index; null stands for an expression. */
export interface Index {
  name: string
  columns: (string | null)[]
  predicate: string | null
  ofConstraint: boolean
  definition: string
}

export interface Table {
  name: string
  columns: { name: string; type: string; isRequired: boolean; default: string | null; isGenerated: boolean }[]
  constraints: Constraint[]
  indexes: Index[]
  rowSecurity: "none" | "enabled" | "forced"
  policies: { name: string; command: string; roles: string[]; using: string | null; check: string | null }[]
  grants: { role: string; privileges: string }[]
}

export interface Routine {
  kind: "function" | "view"
  name: string
  isTrigger: boolean
  definition: string
}

export interface Catalogue {
  tables: Table[]
  /** In PostgreSQL's execution order within a timing and level: by name. */
  triggers: Trigger[]
  routines: Routine[]
  calledByTables: { table: string; function: string }[]
}

/** The schema `public` without the migration runner's tables and extension functions. */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const rows = async <T extends object>(text: string): Promise<T[]> => (await client.query<T>(text)).rows
  const columns = await rows<Table["columns"][number] & { table: string }>(columnsSql)
  const constraints = await rows<Constraint & { table: string }>(constraintsSql)
  const indexes = await rows<Table["indexes"][number] & { table: string }>(indexesSql)
  const policies = await rows<Table["policies"][number] & { table: string }>(policiesSql)
  const grants = await rows<Table["grants"][number] & { table: string }>(grantsSql)
  const tables = (await rows<Pick<Table, "name" | "rowSecurity">>(tablesSql)).map((table) => ({
    ...table,
    columns: rowsOfTable(columns, table.name),
    constraints: rowsOfTable(constraints, table.name),
    indexes: rowsOfTable(indexes, table.name),
    policies: rowsOfTable(policies, table.name),
    grants: rowsOfTable(grants, table.name),
  }))
  const triggers = (await rows<Trigger & { type: number }>(triggersSql)).map(({ type, ...trigger }) => ({
    ...trigger,
    ...triggerPartsOf(type),
  }))
  return { tables, triggers, routines: await rows(routinesSql), calledByTables: await rows(callsSql) }
}

const rowsOfTable = <T extends { table: string }>(rows: T[], name: string): Omit<T, "table">[] =>
  rows.filter((row) => row.table === name).map(({ table: _, ...row }) => row)

/** Decodes `pg_trigger.tgtype`, which is a bit set. */
function triggerPartsOf(type: number): Pick<Trigger, "timing" | "level" | "events"> {
  const bits: [number, TriggerEvent][] = [
    [4, "INSERT"],
    [16, "UPDATE"],
    [8, "DELETE"],
    [32, "TRUNCATE"],
  ]
  return {
    level: type & 1 ? "row" : "statement",
    timing: type & 2 ? "before" : "after",
    events: bits.filter(([bit]) => type & bit).map(([, event]) => event),
  }
}

const isProductRelation = (relation: string) =>
  `${relation}.relnamespace = 'public'::regnamespace and ${relation}.relname not in ('schema_migrations', 'schema_rules')`

const tablesSql = `
  select c.relname as name,
    case when c.relforcerowsecurity then 'forced' when c.relrowsecurity then 'enabled' else 'none' end as "rowSecurity"
  from pg_class c where c.relkind = 'r' and ${isProductRelation("c")} order by c.relname`

const columnsSql = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
    a.attgenerated <> '' as "isGenerated",
    case when a.attidentity <> '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end as default
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind = 'r' and ${isProductRelation("c")} and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`

const columnNamesSql = (relation: string, numbers: string) => `array(
    select a.attname::text from unnest(${numbers}) with ordinality named (number, position)
    left join pg_attribute a on a.attrelid = ${relation} and a.attnum = named.number and named.number > 0 order by named.position)`

const constraintsSql = `
  select c.relname as "table", k.conname as name, ${columnNamesSql("k.conrelid", "k.conkey")} as columns,
    case k.contype when 'p' then 'primary key' when 'u' then 'unique' when 'f' then 'foreign key' when 'c' then 'check'
      else 'exclude' end as kind,
    pg_get_constraintdef(k.oid, true) as definition, t.relname as target,
    case when k.contype = 'f' then case k.confdeltype when 'c' then 'cascades' when 'n' then 'sets null' else 'restricts' end
      end as "onDelete"
  from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class t on t.oid = k.confrelid
  where k.contype in ('p', 'u', 'f', 'c', 'x') and c.relkind = 'r' and ${isProductRelation("c")}
  order by c.relname, array_position(array['p', 'u', 'x', 'f', 'c'], k.contype::text), k.conname`

const indexesSql = `
  select c.relname as "table", i.indexrelid::regclass::text as name, pg_get_expr(i.indpred, i.indrelid) as predicate,
    ${columnNamesSql("i.indrelid", "i.indkey[0:i.indnkeyatts - 1]")} as columns,
    exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')) as "ofConstraint",
    pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relkind = 'r' and ${isProductRelation("c")} order by c.relname, 2`

const policiesSql = `
  select tablename as "table", policyname as name, lower(cmd) as command, roles::text[] as roles, qual as using,
    with_check as check
  from pg_policies where schemaname = 'public' order by tablename, policyname`

const grantsSql = `
  select "table", role, string_agg(privileges, ', ' order by place) as privileges from (
    select c.relname as "table", g.grantee::regrole::text as role, lower(g.privilege_type) as privileges,
      array_position(array['SELECT', 'INSERT', 'UPDATE', 'DELETE'], g.privilege_type) as place
    from pg_class c cross join aclexplode(c.relacl) g
    where c.relkind = 'r' and ${isProductRelation("c")} and g.grantee <> c.relowner
    union all
    select c.relname, g.grantee::regrole::text,
      lower(g.privilege_type) || ' (' || string_agg(a.attname, ', ' order by a.attnum) || ')', 10
    from pg_class c join pg_attribute a on a.attrelid = c.oid cross join aclexplode(a.attacl) g
    where c.relkind = 'r' and ${isProductRelation("c")} and not a.attisdropped and g.grantee <> c.relowner
    group by c.relname, g.grantee, g.privilege_type
  ) granted group by "table", role order by "table", role`

const triggersSql = `
  select t.tgname as name, c.relname as "table", t.tgtype as type, t.tginitdeferred as "isDeferred", p.proname as function,
    ${columnNamesSql("t.tgrelid", "t.tgattr::int2[]")} as columns,
    substring(pg_get_triggerdef(t.oid, true) from ' WHEN \\((.*)\\) EXECUTE FUNCTION') as condition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and ${isProductRelation("c")} order by t.tgname collate "C", c.relname`

const routinesSql = `
  select 'function' as kind, p.proname as name, p.prorettype = 'trigger'::regtype as "isTrigger",
    pg_get_functiondef(p.oid) as definition
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select 'view', c.relname, false, 'CREATE VIEW ' || c.relname || ' AS' || E'\\n' || pg_get_viewdef(c.oid)
  from pg_class c where c.relkind = 'v' and ${isProductRelation("c")} order by 1, 2`

const callsSql = `
  select distinct c.relname as "table", p.proname as function
  from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
  left join pg_attrdef f on d.classid = 'pg_attrdef'::regclass and f.oid = d.objid
  left join pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
  left join pg_policy y on d.classid = 'pg_policy'::regclass and y.oid = d.objid
  left join pg_index i on d.classid = 'pg_class'::regclass and i.indexrelid = d.objid
  join pg_class c on c.oid = coalesce(f.adrelid, k.conrelid, y.polrelid, i.indrelid)
  where p.pronamespace = 'public'::regnamespace and ${isProductRelation("c")}
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
  order by 1, 2`
