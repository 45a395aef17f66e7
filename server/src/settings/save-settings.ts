import { passwordStep } from "@milkwood/domain/platform/mail-server"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import {
  asksForProof,
  changedSettings,
  checkCurrency,
  declaredSettings,
  resetSettings,
  type SettingKey,
  type Settings,
} from "@milkwood/domain/settings/settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { type Cx, command, invalid, orRefuse } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockSettings, readSettings, settingsVersion, writeSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { deliverWaiting, forgetPassword, hasPassword, keepPassword } from "../platform/work/mail-server.ts"
import { checkOwnAddress } from "../users/allowed-addresses.ts"
import { signedIn } from "../users/sessions.ts"
import { recordsAmounts, settingsDetail } from "./settings.queries.ts"

/** Saves all settings at once; only the keys that changed are written and told of. */
export const saveSettings = command(settingsContract.save, async (cx) => {
  await lockVersion(cx, cx.input.version)
  const { role } = signedIn(cx)
  checkOwnAddress(cx.context.headers, role, cx.input.settings)
  const { settings, mailPassword } = cx.input
  await guard(cx, settings, mailPassword)
  await keepMailPassword(cx, settings, mailPassword)
  await write(cx, "SettingsSaved", settings)
  return settingsDetail(cx)
})

/** Puts everything but the organisation's details back to its default. */
export const resetToDefaults = command(settingsContract.reset, async (cx) => {
  await lockVersion(cx, cx.input.version)
  const defaults = resetSettings(await readSettings(cx.tx, declaredSettings), await recordsAmounts(cx.tx))
  await guard(cx, defaults)
  await keepMailPassword(cx, defaults)
  await write(cx, "SettingsReset", defaults)
  return settingsDetail(cx)
})

/** Saves the organisation's details and nothing else: for the setup of an empty system. Runs as staff. */
export async function saveOrganisation(cx: Cx, organisation: Organisation): Promise<void> {
  await lockSettings(cx)
  await write(cx, "SettingsSaved", { ...(await readSettings(cx.tx, declaredSettings)), organisation })
}

async function guard(cx: Cx, after: Settings, mailPassword?: string): Promise<void> {
  if (mailPassword || asksForProof(await readSettings(cx.tx, declaredSettings), after)) expectProof(cx)
}

/** What becomes of the mail server's password; what waits for the server is due at once where its sign-in is another. */
async function keepMailPassword(cx: Cx, { mailServer: after }: Settings, given?: string): Promise<void> {
  const { mailServer: before } = await readSettings(cx.tx, mailSettings)
  const step = passwordStep(before, after, { given, isKept: await hasPassword(cx.tx) })
  const wrong = (message: string) => invalid([{ path: "mailPassword", message }])
  if (step === "missing") throw wrong("Give the password of this user")
  if (step === "again") throw wrong("Give the password again: it was kept for another server or user")
  if (step === "seal") await keepPassword(cx, given!)
  if (step === "seal" || (step === "remove" && (await forgetPassword(cx.tx)))) {
    const type = step === "seal" ? "MailPasswordKept" : "MailPasswordForgotten"
    await record(cx, [{ type, record: { kind: "settings", id: null, label: "Settings" }, groupId: null }])
  }
  if (step === "seal" || JSON.stringify(before) !== JSON.stringify(after)) await deliverWaiting(cx.tx)
}

async function lockVersion(cx: Cx, expected: number): Promise<void> {
  await lockSettings(cx)
  expectVersion({ version: await settingsVersion(cx.tx) }, expected)
}

async function write(cx: Cx, type: "SettingsSaved" | "SettingsReset", after: Settings): Promise<void> {
  const before = await readSettings(cx.tx, declaredSettings)
  // Asked of another currency alone: who sets the house up may not read the ledger.
  if (after.currency !== before.currency) orRefuse(checkCurrency(before, after, await recordsAmounts(cx.tx)))
  const changed = changedSettings(before, after)
  if (changed.length === 0) return
  await writeSettings(cx, pick(after, changed))
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
