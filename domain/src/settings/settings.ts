import { z } from "zod"
import { dayFormats } from "../kernel/calendar.ts"
import { initialSettings } from "../kernel/initial-settings.ts"
import { cents } from "../kernel/money.ts"
import { line, text } from "../kernel/text.ts"
import { passwordPolicies } from "../users/password-policies.ts"
import { absoluteSessionHours } from "../users/session.ts"

/** The timezones that "today" can be taken in (specification 2, section 9). */
export const timezones = ["Africa/Johannesburg", "UTC", "America/New_York"] as const
export type Timezone = (typeof timezones)[number]

const optional = (shape: RegExp, message: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || shape.test(text), message)

/** Where money is paid to: stands on invoices and payment files. Blank until somebody fills it in. */
export const bankAccount = z.object({
  bank: line(60),
  accountHolder: line(100),
  accountNumber: optional(/^\d{5,16}$/, "An account number has 5 to 16 digits"),
  branchCode: optional(/^\d{6}$/, "A branch code has 6 digits"),
})

/** Whose house this is: its name, VAT number, address and bank account stand on invoices and payment files. */
export const organisation = z.object({
  name: line(120).min(1, "Give the organisation's name"),
  vatNumber: optional(/^4\d{9}$/, "A VAT number has 10 digits and starts with 4"),
  address: text(400),
  bankAccount,
})
export type Organisation = z.infer<typeof organisation>

/** Every setting of the house. Each one that is here has its effect. */
export const settings = z.object({
  organisation,
  /** "today", due days and schedules are taken in this timezone */
  timezone: z.enum(timezones),
  /** how days are shown and typed */
  dateFormat: z.enum(dayFormats),
  /** the monthly premium per member that a new policy starts with, in cents */
  defaultMemberPremiumCents: cents.min(0, "A premium is not negative").max(100_000_000),
  /** up to this amount, in cents, who made a payout may release it too; 0 means never */
  releaseLimitCents: cents.min(0, "A limit is not negative").max(100_000_000_000),
  /** whether people may sign up by themselves */
  userRegistration: z.boolean(),
  passwordPolicy: z.enum(passwordPolicies),
  /** a session ends after this many minutes in which nobody did anything */
  sessionTimeoutMinutes: z
    .int()
    .min(5, "A session lasts at least 5 minutes")
    .max(absoluteSessionHours * 60, `A session ends after ${absoluteSessionHours} hours at the latest`),
})
export type Settings = z.infer<typeof settings>
export type SettingKey = keyof Settings

/** What holds until somebody saves something else (specification 2, section 9; product: "Accounts", "Policies"). */
export const defaultSettings: Settings = {
  organisation: {
    name: initialSettings.organisationName,
    vatNumber: "",
    address: "",
    bankAccount: { bank: "", accountHolder: "", accountNumber: "", branchCode: "" },
  },
  timezone: initialSettings.timezone,
  dateFormat: "YYYY-MM-DD",
  defaultMemberPremiumCents: 350_00,
  releaseLimitCents: 0,
  userRegistration: false,
  passwordPolicy: initialSettings.passwordPolicy,
  sessionTimeoutMinutes: initialSettings.sessionTimeoutMinutes,
}

/** What "Reset to Defaults" makes of the settings: the organisation's details are nobody's default and stay. */
export function resetSettings(current: Settings): Settings {
  return { ...defaultSettings, organisation: current.organisation }
}

/** The settings that differ, by key; what an edit writes and the audit trail tells. */
export function changedSettings(before: Settings, after: Settings): SettingKey[] {
  return (Object.keys(settings.shape) as SettingKey[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}

/**
 * The settings out of what is stored, one value a key. A key that is missing, or whose value an older edition of the
 * house wrote in another shape, falls back to its default.
 */
export function settingsFrom(stored: Readonly<Record<string, unknown>>): Settings {
  const read = Object.entries(settings.shape).map(([key, shape]) => {
    const parsed = shape.safeParse(stored[key])
    return [key, parsed.success ? parsed.data : defaultSettings[key as SettingKey]]
  })
  return Object.fromEntries(read) as Settings
}
