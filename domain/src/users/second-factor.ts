import type { Role } from "../platform/permission.ts"

export const recoveryCodeCount = 10

/** RFC 6238 step in seconds. Codes of the neighbouring steps are accepted too. */
export const stepSeconds = 30
export const allowedStepDrift = 1

/** `signed_in`, or a partial session: after the password, before the second factor or its set-up. */
export const sessionStages = ["signed_in", "second_factor", "enrolment"] as const
export type SessionStage = (typeof sessionStages)[number]
/** `recovery`: a program's session from an e-mailed link. It can only set a new password. */
export type PartialSessionStage = Exclude<SessionStage, "signed_in"> | "recovery"

/** Lifetime in minutes. */
const partialSessionMinutes: Record<PartialSessionStage, number> = { second_factor: 10, enrolment: 30, recovery: 30 }

/** Whether a partial session can still be completed. */
export const isPartialSessionValid = (
  stage: PartialSessionStage,
  startedAt: Temporal.Instant,
  now: Temporal.Instant,
): boolean => now.epochMilliseconds - startedAt.epochMilliseconds < partialSessionMinutes[stage] * 60_000

export const requirements = ["nobody", "everybody", "roles"] as const
export interface SecondFactorRule {
  secondFactorOf: (typeof requirements)[number]
  secondFactorRoles: readonly Role[]
}

/** Whether an account of this role must have a second factor. */
export function mustHaveSecondFactor(role: Role | null, rule: SecondFactorRule): boolean {
  if (rule.secondFactorOf === "everybody") return true
  return rule.secondFactorOf === "roles" && role !== null && rule.secondFactorRoles.includes(role)
}

/** Parses six app digits or a recovery code; null for anything else. */
export function readCode(typed: string): { kind: "app" | "recovery"; code: string } | null {
  const code = typed.replace(/[\s-]/g, "").toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: "app", code }
  // Reads letters that users confuse with digits as those digits (Crockford's base 32).
  const written = code.replaceAll("O", "0").replace(/[IL]/g, "1")
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(written) ? { kind: "recovery", code: written } : null
}

/** Display form: "7HK2M-Q9T4X". */
export const formatRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** Whether an app code's step is newer than the last accepted one. Prevents replay. */
export const isStepUnused = (step: number, lastStep: number | null): boolean => lastStep === null || step > lastStep
