import { backupsSettings } from "../backups/backups-settings.ts"
import { bankingSettings } from "../banking/banking-settings.ts"
import { billingSettings } from "../billing/billing-settings.ts"
import { claimsSettings } from "../claims/claims-settings.ts"
import { collectionSettings } from "../collection/collection-settings.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { shapeOf, type ValuesOf, valuesOf } from "../kernel/setting.ts"
import { payoutsSettings } from "../payouts/payouts-settings.ts"
import { mailSettings } from "../platform/mail-settings.ts"
import { platformSettings } from "../platform/platform-settings.ts"
import { policiesSettings } from "../policies/policies-settings.ts"
import { privacySettings } from "../privacy/privacy-settings.ts"
import { receiptsSettings } from "../receipts/receipts-settings.ts"
import { usersSettings } from "../users/users-settings.ts"

/** Every setting, as its room declares it. */
export const declaredSettings = {
  ...platformSettings,
  ...mailSettings,
  ...usersSettings,
  ...backupsSettings,
  ...policiesSettings,
  ...payoutsSettings,
  ...billingSettings,
  ...collectionSettings,
  ...receiptsSettings,
  ...bankingSettings,
  ...claimsSettings,
  ...privacySettings,
}

export type Settings = ValuesOf<typeof declaredSettings>
export type SettingKey = keyof Settings

/** The shape of all settings in the API. */
export const settings = shapeOf(declaredSettings)

/** What holds until somebody saves something else (specification 2, section 9; product: "Accounts", "Policies"). */
export const defaultSettings: Settings = valuesOf(declaredSettings, {})

/**
 * What "Reset to Defaults" makes of the settings: the organisation's details are nobody's default and stay, and so does
 * the currency once amounts are recorded in it.
 */
export function resetSettings({ organisation, currency }: Settings, isUsed: boolean): Settings {
  return { ...defaultSettings, organisation, ...(isUsed && { currency }) }
}

/**
 * The settings that are to be saved. INVALID where they name another currency once amounts are recorded: amounts are
 * never converted. The database refuses the same (0400_currency.sql, 0412_hands_of_programs_before.sql).
 */
export function checkCurrency(before: Settings, after: Settings, isUsed: boolean): Decision<Settings, "INVALID"> {
  if (!isUsed || before.currency === after.currency) return after
  const message = `Amounts are recorded in ${before.currency}, so the currency stays`
  return refuse("INVALID", undefined, { fields: [{ path: "settings.currency", message }] })
}

/**
 * Refuses with INVALID to remove the organisation's VAT number while product types, given by name, charge VAT from today
 * on.
 */
export function checkVatNumber(
  before: Settings,
  after: Settings,
  charging: readonly string[],
): Decision<Settings, "INVALID"> {
  const isRemoved = before.organisation.vatNumber !== "" && after.organisation.vatNumber === ""
  if (!isRemoved || charging.length === 0) return after
  const named =
    charging.length > 3 ? `${charging.slice(0, 3).join(", ")} and ${charging.length - 3} more` : charging.join(", ")
  const message = `These product types charge VAT: ${named}. Set them to exempt or zero-rated first.`
  return refuse("INVALID", undefined, { fields: [{ path: "settings.organisation.vatNumber", message }] })
}

/** What is worth as much as the money or the rights themselves: a change asks for a proof (`expectProof`). */
const guarded: readonly SettingKey[] = [
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

/** Whether a change is of bank details, of who may do what and how they get in, or of where links to sign in are mailed. */
export function asksForProof(before: Settings, after: Settings): boolean {
  const { organisation: was } = before
  const { organisation: is } = after
  if (JSON.stringify(was.bankAccount) !== JSON.stringify(is.bankAccount)) return true
  return changedSettings(before, after).some((key) => guarded.includes(key))
}

/** The settings that differ, by key; what an edit writes and the audit trail tells. */
export function changedSettings(before: Settings, after: Settings): SettingKey[] {
  return (Object.keys(declaredSettings) as SettingKey[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}
