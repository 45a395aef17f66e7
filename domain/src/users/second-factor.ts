import type { Role } from "../platform/permission.ts"

/** How many recovery codes there are; each works once. */
export const recoveryCodeCount = 10

/** A code of an authenticator app holds for so many seconds (RFC 6238), and its neighbours are taken too. */
export const stepSeconds = 30
export const stepsAround = 1

/** What a session may be: signed in, or half: after the password, before the second factor or its set-up. */
export const sessionStages = ["signed_in", "second_factor", "enrolment"] as const
export type SessionStage = (typeof sessionStages)[number]
/** "recovery": a program's, by a mailed link: it reaches a new password, and nothing else. */
export type HalfStage = Exclude<SessionStage, "signed_in"> | "recovery"

/** How long after the password a code may be given, or a second factor be set up, and after a link a new password, in minutes. */
const halfMinutes: Record<HalfStage, number> = { second_factor: 10, enrolment: 30, recovery: 30 }

/** Whether somebody who gave the password, or followed a link, may still go on from there. */
export const halfSessionHolds = (stage: HalfStage, startedAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - startedAt.epochMilliseconds < halfMinutes[stage] * 60_000

/** Of whom a second factor is asked, whether or not they want one. */
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

/** What was typed as a code: six digits of an app, or a recovery code; null where it is neither. */
export function readCode(typed: string): { kind: "app" | "recovery"; code: string } | null {
  const code = typed.replace(/[\s-]/g, "").toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: "app", code }
  // Letters that are taken for digits (Crockford's base 32).
  const written = code.replaceAll("O", "0").replace(/[IL]/g, "1")
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(written) ? { kind: "recovery", code: written } : null
}

/** A recovery code as it is shown: "7HK2M-Q9T4X". */
export const shownRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** Whether a code of this half minute is taken: none twice, nor one older than the last. */
export const takesStep = (step: number, lastStep: number | null): boolean => lastStep === null || step > lastStep
