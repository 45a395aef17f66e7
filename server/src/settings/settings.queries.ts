import { type Settings, settingsFrom } from "@milkwood/domain/settings/settings"
import type { SettingsDetail } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"

/** The settings as they hold now; what nobody saved has its default. Any database role of ours may read them. */
export async function readSettings(tx: Tx): Promise<Settings> {
  const rows = await tx.rows<{ key: string; value: unknown }>(sql`select key, value from settings`)
  return settingsFrom(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}

/** The version of the settings: the highest of any key, 0 while nobody has saved any. */
export async function settingsVersion(tx: Tx): Promise<number> {
  const found = await tx.row<{ version: number }>(sql`select coalesce(max(version), 0) as version from settings`)
  return found?.version ?? 0
}

interface StoredSettings {
  version: number
  savedAt: string | null
  savedBy: string | null
  stored: Record<string, unknown>
}

/** The settings as the settings page shows them. */
export async function settingsDetail({ tx, app }: Pick<Cx, "tx" | "app">): Promise<SettingsDetail> {
  const found = (await tx.row<StoredSettings>(sql`
    select coalesce(max(s.version), 0) as version, coalesce(jsonb_object_agg(s.key, s.value) filter (where s.key is not null), '{}') as stored,
      (array_agg(u.name order by s.version desc))[1] as "savedBy", max(s.saved_at) as "savedAt"
    from settings s left join users u on u.id = s.saved_by`))!
  return {
    version: found.version,
    settings: settingsFrom(found.stored),
    defaults: settingsFrom({}),
    savedAt: found.savedAt,
    savedBy: found.savedBy,
    mailDelivery: app.smtpUrl ? "smtp" : "outbox",
  }
}
