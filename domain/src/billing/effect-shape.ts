import { z } from "zod"
import { day, laterChanges } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { dependentInput, salary } from "../members/member-shape.ts"
import { endRules } from "../policies/end-rule.ts"
import { rateTable } from "../policies/rates-shape.ts"

/** The members may belong to several policies. */
const membersTarget = { memberIds: z.array(z.uuid()).min(1).max(1_000), on: day }
const policyTarget = { policyId: z.uuid() }

/** The input of the command named by `act`, limited to what affects amounts. */
export const proposedChange = z.discriminatedUnion("act", [
  z.object({
    ...policyTarget,
    act: z.literal("addMember"),
    tierId: z.uuid(),
    startOn: day.nullable(),
    idNumber: z.string().nullable(),
    passportNumber: z.string().nullable(),
    /** Null: taken from the ID number, or unknown. */
    dateOfBirth: day.nullable(),
    dependents: z.array(
      dependentInput.pick({ idNumber: true, relationship: true, dateOfBirth: true, fromOn: true, untilOn: true }),
    ),
    /** Set only by users who may see salaries. */
    monthlyCents: salary.nullable().default(null),
  }),
  z.object({ ...membersTarget, act: z.literal("terminateMember") }),
  z.object({ ...membersTarget, act: z.literal("suspendMember"), laterChanges }),
  z.object({ ...membersTarget, act: z.literal("reinstateMember"), laterChanges }),
  z.object({ ...membersTarget, act: z.literal("changeTier"), tierId: z.uuid(), laterChanges }),
  z.object({ act: z.literal("withdrawPlans"), memberIds: membersTarget.memberIds }),
  z.object({ act: z.literal("changeDependents"), memberId: z.uuid(), dependents: z.array(dependentInput).max(50) }),
  /** Set only by users who may see salaries. */
  z.object({ act: z.literal("setSalary"), memberId: z.uuid(), monthlyCents: salary.nullable(), on: day, laterChanges }),
  /** `from` null: the default effective date. */
  z.object({
    ...policyTarget,
    act: z.literal("changePremium"),
    premiumCents: cents.min(1),
    from: day.nullable(),
    laterChanges,
  }),
  z.object({ ...policyTarget, act: z.literal("changeRates"), rates: rateTable, from: day.nullable(), laterChanges }),
  z.object({ ...policyTarget, act: z.literal("suspendPolicy") }),
  z.object({ ...policyTarget, act: z.literal("reinstatePolicy") }),
  z.object({ ...policyTarget, act: z.literal("terminatePolicy"), on: day }),
  /** `month` null: the policy's start. */
  z.object({ ...policyTarget, act: z.literal("setBilledFrom"), month: day.nullable() }),
  /** `from` null: the default effective date. */
  z.object({
    ...policyTarget,
    act: z.literal("setEndRule"),
    rule: z.enum(endRules),
    from: day.nullable(),
    laterChanges,
  }),
  z.object({
    act: z.literal("importStaffList"),
    importId: z.uuid(),
    applyChanges: z.boolean(),
    changesOn: day.nullable(),
    leaversOn: day.nullable(),
  }),
])
export type ProposedChange = z.infer<typeof proposedChange>

export const effect = z.object({
  policyId: z.uuid(),
  policyNumber: z.string(),
  month: day,
  cents,
  parts: z.array(z.object({ months: z.array(day), members: z.int(), cents })),
  isMonthly: z.boolean(),
  unrated: z.int(),
  why: z.array(z.string()),
  later: z.object({ month: day, cents }).nullable(),
})
