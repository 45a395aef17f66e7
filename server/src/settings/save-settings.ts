import {
  changedSettings,
  type Organisation,
  resetSettings,
  type SettingKey,
  type Settings,
} from "@milkwood/domain/settings/settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { readSettings, settingsDetail, settingsVersion } from "./settings.queries.ts"

/** Saves all settings at once; only the keys that changed are written and told of. */
export const saveSettings = command(settingsContract.save, async (cx) => {
  await lockVersion(cx, cx.input.version)
  await write(cx, "SettingsSaved", cx.input.settings)
  return settingsDetail(cx)
})

/** Puts everything but the organisation's details back to its default. */
export const resetToDefaults = command(settingsContract.reset, async (cx) => {
  await lockVersion(cx, cx.input.version)
  await write(cx, "SettingsReset", resetSettings(await readSettings(cx.tx)))
  return settingsDetail(cx)
})

/** Saves the organisation's details and nothing else: for the setup of an empty house. Runs as staff. */
export async function saveOrganisation(cx: Cx, organisation: Organisation): Promise<void> {
  await lock(cx)
  await write(cx, "SettingsSaved", { ...(await readSettings(cx.tx)), organisation })
}

/** One saver at a time: the settings have no single row that could be locked. */
async function lock({ tx }: Pick<Cx, "tx">): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('settings'))`)
}

async function lockVersion(cx: Cx, expected: number): Promise<void> {
  await lock(cx)
  expectVersion({ version: await settingsVersion(cx.tx) }, expected)
}

async function write(cx: Cx, type: "SettingsSaved" | "SettingsReset", after: Settings): Promise<void> {
  const before = await readSettings(cx.tx)
  const changed = changedSettings(before, after)
  if (changed.length === 0) return
  const version = (await settingsVersion(cx.tx)) + 1
  for (const key of changed) {
    await cx.tx.run(sql`
      insert into settings (key, value, version, saved_at, saved_by)
      values (${key}, ${JSON.stringify(after[key])}::jsonb, ${version}, ${cx.now}, ${actorUserId(cx.actor)})
      on conflict (key) do update
      set value = excluded.value, version = excluded.version, saved_at = excluded.saved_at, saved_by = excluded.saved_by`)
  }
  await record(cx, [
    {
      type,
      record: { kind: "settings", id: null, label: "Settings" },
      groupId: null,
      before: pick(before, changed),
      after: pick(after, changed),
    },
  ])
}

function pick(from: Settings, keys: readonly SettingKey[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]))
}
