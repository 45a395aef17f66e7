import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { Role } from "../platform/permission.ts"

/** What a program may be: settings, accounts and backups are looked after by people. */
export const keyRoles = ["manager", "underwriter", "group_admin", "policy_holder"] as const satisfies readonly Role[]
export type KeyRole = (typeof keyRoles)[number]

/** Whether a key is taken; what has expired or was revoked is never taken again. */
export const keyStates = ["active", "expired", "revoked"] as const
export type KeyState = (typeof keyStates)[number]

export const keyStateNames: Record<KeyState, string> = { active: "Active", expired: "Expired", revoked: "Revoked" }

/** A key lives at most this long, in days: then another is made, and the program is given it. */
export const longestKeyDays = 730

/** What a key begins with, so that people and scanners of source code know one when they see it. */
export const keyPrefix = "mwk_"

/** Whether a text is written as a key is: the prefix, and 32 random bytes. */
export const isServiceKey = (text: string): boolean => /^mwk_[\w-]{43}$/.test(text)

/** What may be shown of a key to tell it from others. */
export const hintOf = (key: string): string => `${key.slice(0, keyPrefix.length + 4)}…`

/** How the program is called wherever people are: in histories, beside what it captured. */
export const programName = (name: string): string => `${name} (service key)`

/** Whether a key is taken at a moment. */
export function keyState(key: { expiresAt: Temporal.Instant; revokedAt: unknown }, now: Temporal.Instant): KeyState {
  if (key.revokedAt !== null) return "revoked"
  return Temporal.Instant.compare(key.expiresAt, now) <= 0 ? "expired" : "active"
}

/** The last day on which a key is to work: today at the earliest, and at the latest `longestKeyDays` from now. */
export function keyExpiry(expiresOn: Day, today: Day): Decision<Day, "INVALID"> {
  const wrong = (message: string) => refuse("INVALID", undefined, { fields: [{ path: "expiresOn", message }] })
  if (expiresOn < today) return wrong("Choose a day that has not passed")
  const last = Temporal.PlainDate.from(today).add({ days: longestKeyDays }).toString()
  if (expiresOn > last) return wrong("A key works for two years at the longest")
  return expiresOn
}
