import { backupsSettings } from "../backups/backups-settings.ts"
import { bankingSettings } from "../banking/banking-settings.ts"
import { benefitsSettings } from "../benefits/benefits-settings.ts"
import { billingSettings } from "../billing/billing-settings.ts"
import { claimsSettings } from "../claims/claims-settings.ts"
import { collectionSettings } from "../collection/collection-settings.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { shapeOf, type ValuesOf, valuesOf } from "../kernel/setting.ts"
import { shortNameList } from "../kernel/text.ts"
import { lettersSettings } from "../letters/letters-settings.ts"
import { payoutsSettings } from "../payouts/payouts-settings.ts"
import { mailSettings } from "../platform/mail-settings.ts"
import { platformSettings } from "../platform/platform-settings.ts"
import { policiesSettings } from "../policies/policies-settings.ts"
import { privacySettings } from "../privacy/privacy-settings.ts"
import { receiptsSettings } from "../receipts/receipts-settings.ts"
import { usersSettings } from "../users/users-settings.ts"

export const declaredSettings = {
  ...platformSettings,
  ...mailSettings,
  ...usersSettings,
  ...backupsSettings,
  ...benefitsSettings,
  ...policiesSettings,
  ...payoutsSettings,
  ...billingSettings,
  ...collectionSettings,
  ...receiptsSettings,
  ...bankingSettings,
  ...claimsSettings,
  ...lettersSettings,
  ...privacySettings,
}

export type Settings = ValuesOf<typeof declaredSettings>
export type SettingKey = keyof Settings

export const settings = shapeOf(declaredSettings)

/** Specification 2, section 9. */
export const defaultSettings: Settings = valuesOf(declaredSettings, {})

/** "Reset to Defaults": keeps the organisation and, once amounts are recorded (`isUsed`), the currency. */
export function resetSettings({ organisation, currency }: Settings, isUsed: boolean): Settings {
  return { ...defaultSettings, organisation, ...(isUsed && { currency }) }
}

/**
 * INVALID for another currency once amounts are recorded: amounts are never converted. The database refuses it too
 * (0400_currency.sql, 0412_hands_of_programs_before.sql).
 */
export function checkCurrency(before: Settings, after: Settings, isUsed: boolean): Decision<Settings, "INVALID"> {
  if (!isUsed || before.currency === after.currency) return after
  const message = `You cannot change the currency: amounts are recorded in ${before.currency}`
  return refuse("INVALID", undefined, { fields: [{ path: "settings.currency", message }] })
}

/** INVALID if the VAT number is removed while the named product types charge VAT from today on. */
export function checkVatNumber(
  before: Settings,
  after: Settings,
  charging: readonly string[],
): Decision<Settings, "INVALID"> {
  const isRemoved = before.organisation.vatNumber !== "" && after.organisation.vatNumber === ""
  if (!isRemoved || charging.length === 0) return after
  const message = `These product types charge VAT: ${shortNameList(charging)}. Set them to exempt or zero-rated first.`
  return refuse("INVALID", undefined, { fields: [{ path: "settings.organisation.vatNumber", message }] })
}

/** Settings as sensitive as money or permissions: a change requires a proof of identity (`expectProof`). */
const settingsRequiringProof: readonly SettingKey[] = [
  "userRegistration",
  "passwordPolicy",
  "secondFactorOf",
  "secondFactorRoles",
  "limitAddresses",
  "allowedAddresses",
  "releaseLimitCents",
  "proofAboveCents",
  "batchLimitCents",
  "writeOffLimitCents",
  "payeeWaitHours",
  "mailServer",
  "retentionYears",
  "autoRetention",
  "auditLogging",
  "attachReportsOutside",
]

/** True for changes of bank details, permissions, sign-in or mail delivery. */
export function requiresProof(before: Settings, after: Settings): boolean {
  const { organisation: was } = before
  const { organisation: is } = after
  if (JSON.stringify(was.bankAccount) !== JSON.stringify(is.bankAccount)) return true
  return changedSettings(before, after).some((key) => settingsRequiringProof.includes(key))
}

export function changedSettings(before: Settings, after: Settings): SettingKey[] {
  return (Object.keys(declaredSettings) as SettingKey[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}
