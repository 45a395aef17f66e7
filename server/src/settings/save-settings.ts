import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import {
  changedSettings,
  checkCurrency,
  checkVatNumber,
  declaredSettings,
  requiresProof,
  resetSettings,
  type SettingKey,
  type Settings,
} from "@milkwood/domain/settings/settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { chargingProductTypes } from "../benefits/vat.queries.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockSettings, readSettings, readSettingsVersion, writeSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { checkOwnAddress } from "../users/allowed-addresses.ts"
import { requireUser } from "../users/sessions.ts"
import { changeMailServer } from "./mail-server-change.ts"
import { hasRecordedAmounts, readSettingsDetail } from "./settings.queries.ts"

/** Saves all settings; writes and records only changed keys. */
export const saveSettings = command(settingsContract.save, async (cx) => {
  await lockSettingsVersion(cx, cx.input.version)
  const { role } = requireUser(cx)
  checkOwnAddress(cx.context.headers, role, cx.input.settings)
  const { settings, mailPassword } = cx.input
  await requireProofForChange(cx, settings, mailPassword)
  const mailServer = await changeMailServer(cx, settings.mailServer, mailPassword)
  await writeChangedSettings(cx, "SettingsSaved", { ...settings, mailServer })
  return readSettingsDetail(cx)
})

/** A reset keeps the organisation's details, and the currency once amounts are recorded. */
export const resetToDefaults = command(settingsContract.reset, async (cx) => {
  await lockSettingsVersion(cx, cx.input.version)
  const defaults = resetSettings(await readSettings(cx.tx, declaredSettings), await hasRecordedAmounts(cx.tx))
  await requireProofForChange(cx, defaults)
  const mailServer = await changeMailServer(cx, defaults.mailServer)
  await writeChangedSettings(cx, "SettingsReset", { ...defaults, mailServer })
  return readSettingsDetail(cx)
})

/** Saves the organisation during the setup of an empty installation. Runs as staff. */
export async function saveOrganisation(cx: Cx, organisation: Organisation): Promise<void> {
  await lockSettings(cx)
  await writeChangedSettings(cx, "SettingsSaved", { ...(await readSettings(cx.tx, declaredSettings)), organisation })
}

async function requireProofForChange(cx: Cx, after: Settings, mailPassword?: string): Promise<void> {
  if (mailPassword || requiresProof(await readSettings(cx.tx, declaredSettings), after)) expectProof(cx)
}

async function lockSettingsVersion(cx: Cx, expected: number): Promise<void> {
  await lockSettings(cx)
  expectVersion({ version: await readSettingsVersion(cx.tx) }, expected)
}

async function writeChangedSettings(cx: Cx, type: "SettingsSaved" | "SettingsReset", after: Settings): Promise<void> {
  const before = await readSettings(cx.tx, declaredSettings)
  // The ledger is read only if the currency changes: the role that runs the setup may not read it.
  if (after.currency !== before.currency) {
    await cx.tx.run(sql`select lock_unused_ledger(), lock_unused_bank_lines()`)
    orRefuse(checkCurrency(before, after, await hasRecordedAmounts(cx.tx)))
  }
  if (after.organisation.vatNumber === "" && before.organisation.vatNumber !== "")
    orRefuse(checkVatNumber(before, after, await chargingProductTypes(cx)))
  const changed = changedSettings(before, after)
  if (changed.length === 0) return
  await writeSettings(cx, pickSettings(after, changed))
  await record(cx, [
    {
      type,
      record: { kind: "settings", id: null, label: "Settings" },
      groupId: null,
      before: pickSettings(before, changed),
      after: pickSettings(after, changed),
    },
  ])
}

function pickSettings(from: Settings, keys: readonly SettingKey[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]))
}
