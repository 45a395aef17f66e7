import { hasPermission, type PermissionName, type Role } from "../platform/permission.ts"

/** In the order in which they are offered. */
export const setUpSteps = [
  "organisation",
  "mailServer",
  "backupKey",
  "colleagues",
  "benefits",
  "employer",
  "members",
  "invoices",
] as const
export type SetUpStep = (typeof setUpSteps)[number]

export const setUpStates = ["open", "done", "skipped"] as const
export type SetUpState = (typeof setUpStates)[number]

/** What a started step still needs. */
export const setUpGaps = ["bankAccount", "vatNumber", "activation", "sending"] as const
export type SetUpGap = (typeof setUpGaps)[number]

export const setUpActions = ["skip", "unskip"] as const

/** Which role takes a step; other roles do not see it. */
export const setUpStepPermissions: Record<SetUpStep, PermissionName> = {
  organisation: "settings.manage",
  mailServer: "settings.manage",
  backupKey: "backups.manage",
  colleagues: "users.manage",
  benefits: "benefits.write",
  employer: "policies.write",
  members: "members.import",
  invoices: "invoices.write",
}

export interface SetUpFacts {
  hasBankAccount: boolean
  hasVatNumber: boolean
  hasMailServer: boolean
  hasBackupKey: boolean
  /** Another active user of the insurer, or an invitation that is still open. */
  hasColleagues: boolean
  hasProductBenefits: boolean
  hasPolicies: boolean
  hasActivatedPolicies: boolean
  hasMembers: boolean
  hasInvoices: boolean
  hasSentInvoices: boolean
}

export interface SetUpStepState {
  step: SetUpStep
  state: SetUpState
  gaps: SetUpGap[]
  allowedActions: (typeof setUpActions)[number][]
}

const isDone: Record<SetUpStep, (facts: SetUpFacts) => boolean> = {
  organisation: ({ hasBankAccount, hasVatNumber }) => hasBankAccount && hasVatNumber,
  mailServer: ({ hasMailServer }) => hasMailServer,
  backupKey: ({ hasBackupKey }) => hasBackupKey,
  colleagues: ({ hasColleagues }) => hasColleagues,
  benefits: ({ hasProductBenefits }) => hasProductBenefits,
  employer: ({ hasActivatedPolicies }) => hasActivatedPolicies,
  members: ({ hasMembers }) => hasMembers,
  invoices: ({ hasSentInvoices }) => hasSentInvoices,
}

const gapsOf: Partial<Record<SetUpStep, (facts: SetUpFacts) => SetUpGap[]>> = {
  organisation: ({ hasBankAccount, hasVatNumber }) => [
    ...(hasBankAccount ? [] : (["bankAccount"] as const)),
    ...(hasVatNumber ? [] : (["vatNumber"] as const)),
  ],
  employer: ({ hasPolicies }) => (hasPolicies ? ["activation"] : []),
  invoices: ({ hasInvoices }) => (hasInvoices ? ["sending"] : []),
}

/** The steps that a role may take, in order. A skipped step that is done counts as done. */
export function setUpStatesFor(role: Role | null, facts: SetUpFacts, skipped: readonly SetUpStep[]): SetUpStepState[] {
  return setUpSteps
    .filter((step) => hasPermission(role, setUpStepPermissions[step]))
    .map((step) => {
      const state = isDone[step](facts) ? "done" : skipped.includes(step) ? "skipped" : "open"
      const action = { open: "skip", skipped: "unskip", done: null } as const
      const allowed = hasPermission(role, "settings.manage") ? action[state] : null
      return {
        step,
        state,
        gaps: state === "done" ? [] : (gapsOf[step]?.(facts) ?? []),
        allowedActions: allowed ? [allowed] : [],
      }
    })
}

/** Null when every step is done or skipped. */
export const nextSetUpStep = (steps: readonly Pick<SetUpStepState, "step" | "state">[]): SetUpStep | null =>
  steps.find(({ state }) => state === "open")?.step ?? null

/** Skipped steps in their order, after some are skipped or no longer skipped. */
export const changeSkippedSteps = (
  skipped: readonly SetUpStep[],
  { steps, isSkipped }: { steps: readonly SetUpStep[]; isSkipped: boolean },
): SetUpStep[] => setUpSteps.filter((step) => (steps.includes(step) ? isSkipped : skipped.includes(step)))
