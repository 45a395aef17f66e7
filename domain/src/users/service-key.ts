import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { Role } from "../platform/permission.ts"

/** Roles of programs. Only people may manage settings, accounts and backups. */
export const keyRoles = ["manager", "underwriter", "group_admin", "policy_holder"] as const satisfies readonly Role[]
export type KeyRole = (typeof keyRoles)[number]

/** Expired and revoked keys are never accepted again. */
export const keyStates = ["active", "expired", "revoked"] as const
export type KeyState = (typeof keyStates)[number]

export const keyStateNames: Record<KeyState, string> = { active: "Active", expired: "Expired", revoked: "Revoked" }

/** Maximum lifetime of a key, in days. */
export const maxKeyDays = 730

/** Prefix that people and secret scanners recognise. */
export const keyPrefix = "mwk_"

/** The prefix followed by 32 random bytes in base64url. */
export const isServiceKey = (text: string): boolean => /^mwk_[\w-]{43}$/.test(text)

/** The displayable start of a key. */
export const keyHintOf = (key: string): string => `${key.slice(0, keyPrefix.length + 4)}…`

/** The program's name in histories, and as the user who captured a record. */
export const programName = (name: string): string => `${name} (service key)`

export function keyState(key: { expiresAt: Temporal.Instant; revokedAt: unknown }, now: Temporal.Instant): KeyState {
  if (key.revokedAt !== null) return "revoked"
  return Temporal.Instant.compare(key.expiresAt, now) <= 0 ? "expired" : "active"
}

/** Validates the last day of a key: from today up to `longestKeyDays` ahead, otherwise INVALID. */
export function checkKeyExpiry(expiresOn: Day, today: Day): Decision<Day, "INVALID"> {
  const wrong = (message: string) => refuse("INVALID", undefined, { fields: [{ path: "expiresOn", message }] })
  if (expiresOn < today) return wrong("Choose today or a later day")
  const last = Temporal.PlainDate.from(today).add({ days: maxKeyDays }).toString()
  if (expiresOn > last) return wrong("Choose a day at most two years ahead")
  return expiresOn
}
