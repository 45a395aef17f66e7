import { type Declared, type Setting, type ValuesOf, valuesOf } from "@milkwood/domain/kernel/setting"
import { type SQL, sql } from "drizzle-orm"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import type { Tx } from "../database/database.ts"
import { holdLock } from "../database/locks.ts"

/** The current settings of a module: `readSettings(tx, usersSettings)`. All database roles may read them. */
export async function readSettings<D extends Declared>(tx: Tx, declared: D): Promise<ValuesOf<D>> {
  const rows = await tx.rows<{ key: string; value: unknown }>(
    sql`select key, value from settings where key = any (${sql.param(Object.keys(declared))}::text[])`,
  )
  return valuesOf(declared, Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}

export const storedSetting = (key: string): SQL => sql`(select value from settings where key = ${key})`

/** A numeric setting inside a statement, with its initial value as the default. */
export const numberSetting = (key: string, { initial }: { initial: number }): SQL =>
  sql`coalesce((select value::int from settings where key = ${key}), ${initial}::int)`

export function settingValue<S extends Setting>(setting: S, stored: unknown): S["initial"] {
  return valuesOf({ setting }, { setting: stored }).setting
}

/** The highest version of all settings; 0 if nothing was saved. */
export async function readSettingsVersion(tx: Tx): Promise<number> {
  const found = await tx.row<{ version: number }>(sql`select coalesce(max(version), 0) as version from settings`)
  return found?.version ?? 0
}

/** One writer at a time: the settings have no single row to lock. */
export const lockSettings = ({ tx }: Pick<Cx, "tx">): Promise<void> => holdLock(tx, "settings")

/** Call it under `lockSettings`; saves the values as the next version. */
export async function writeSettings(cx: Cx, values: Readonly<Record<string, unknown>>): Promise<void> {
  const version = (await readSettingsVersion(cx.tx)) + 1
  await cx.tx.run(sql`
    insert into settings (key, value, version, saved_at, saved_by)
    select key, value, ${version}, ${cx.now}::timestamptz, ${actorUserId(cx.actor)}::uuid
    from jsonb_each(${JSON.stringify(values)}::jsonb)
    on conflict (key) do update
    set value = excluded.value, version = excluded.version, saved_at = excluded.saved_at, saved_by = excluded.saved_by`)
}
