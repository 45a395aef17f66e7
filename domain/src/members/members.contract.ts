import { z } from "zod"
import { coverGaps, coverYears, insuredKinds } from "../benefits/benefit-terms.ts"
import { day, instant, laterChanges } from "../kernel/calendar-shape.ts"
import { namedShapes, outputShapes } from "../kernel/declared-field-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { noteProcedures } from "../platform/notes.contract.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { policyStatus } from "../policies/policy-shape.ts"
import { dependentFields } from "./dependent-fields.ts"
import { memberFields, memberListColumns } from "./member-fields.ts"
import { memberActions } from "./member-lifecycle.ts"
import {
  dependentInput,
  memberContact,
  memberEmployment,
  memberPersonal,
  memberStatus,
  salary,
} from "./member-shape.ts"
import { membersList } from "./members.list.ts"
import { nominationsContract } from "./nominations.contract.ts"

export const memberErrors = {
  WRONG_STATUS: { status: 409, message: "The member's status does not allow this." },
  POLICY_ENDED: { status: 409, message: "The policy has ended. You cannot add members to it." },
  DUPLICATE_IN_POLICY: {
    status: 409,
    message: "This person is already in the policy.",
    data: z.object({ memberId: z.uuid(), number: z.string() }).optional(),
  },
} as const

const listedNames = Object.keys(memberListColumns) as (keyof typeof memberListColumns)[]

export const memberRow = z.object({
  id: z.uuid(),
  number: z.string(),
  /** The ID number is masked for policy holders. */
  ...namedShapes(memberFields, ["firstName", "lastName", "idNumber", ...listedNames]),
  groupId: z.uuid(),
  groupName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  tierName: z.string(),
  status: memberStatus,
  /** Join date. */
  startOn: day,
  endOn: day.nullable(),
  /** Today's monthly premium; null if the policy's rates do not cover the household. */
  premiumCents: cents.nullable(),
  /** Why the rates give no premium; null if they do, or if the policy has a single premium. */
  unrated: z.string().nullable(),
  dependents: z.int(),
  toComplete: z.array(z.string()),
  allowedActions: z.array(z.enum(memberActions)),
  version: z.int(),
})
export type MemberRow = z.infer<typeof memberRow>

/** `until` is the last day, inclusive; null = no end. */
export const coverPeriod = z.object({
  tierId: z.uuid(),
  tierName: z.string(),
  kind: z.enum(["covered", "suspended"]),
  from: day,
  until: day.nullable(),
  reason: z.string().nullable(),
  /** Whether the kind and tier were recorded for the first day, rather than continued from the period before. */
  setsKind: z.boolean(),
  setsTier: z.boolean(),
})

export const dependentDetail = z.object({
  id: z.uuid(),
  /** Policy holders get a masked ID number, a null date of birth and the year. */
  ...outputShapes(dependentFields, "dependent"),
  birthYear: z.int().nullable(),
  /** First and last day of cover, inclusive; null = no end. */
  fromOn: day,
  untilOn: day.nullable(),
})

export const memberDetail = z.object({
  id: z.uuid(),
  number: z.string(),
  status: memberStatus,
  /** Why the member is suspended or terminated today. */
  statusReason: z.string().nullable(),
  startOn: day,
  /** Last day of membership, possibly in the future. */
  endOn: day.nullable(),
  endReason: z.string().nullable(),
  groupId: z.uuid(),
  groupName: z.string(),
  /** Today's monthly premium; null if the policy's rates do not cover the household. */
  premiumCents: cents.nullable(),
  /** Why the rates give no premium; null if they do, or if the policy has a single premium. */
  unrated: z.string().nullable(),
  /** `premiumCents` is null for a policy with rates. */
  policy: z.object({ id: z.uuid(), number: z.string(), status: policyStatus, premiumCents: cents.nullable() }),
  tierId: z.uuid(),
  tierName: z.string(),
  /** Policy holders get masked numbers, a null date of birth and the year. */
  personal: z.object(outputShapes(memberFields, "personal")),
  birthYear: z.int().nullable(),
  contact: z.object(outputShapes(memberFields, "contact")),
  employment: z.object(outputShapes(memberFields, "employment")),
  dependents: z.array(dependentDetail),
  /** Past, present and future periods, in order. */
  covers: z.array(coverPeriod),
  /** Fields still missing. */
  toComplete: z.array(z.string()),
  /** Not refused: two spouses, a child over 21, the same person in another policy. */
  warnings: z.array(z.string()),
  allowedActions: z.array(z.enum(memberActions)),
  createdAt: instant,
  updatedAt: instant,
  version: z.int(),
})
export type MemberDetail = z.infer<typeof memberDetail>

export const memberChoice = z.object({
  id: z.uuid(),
  number: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  idNumber: z.string().nullable(),
  status: memberStatus,
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  tierId: z.uuid(),
  tierName: z.string(),
})

const refusedLine = z.object({ line: z.int(), text: z.string(), reason: z.string() })
const reason = text(1_000).min(1, "Enter a reason")
const memberTarget = z.object({ memberId: z.uuid() })
const edited = z.object({ memberId: z.uuid(), version: z.int() })
const dependents = z.array(dependentInput).max(50, "At most 50 dependents")
const tags = ["Members"]

export const membersContract = {
  nominations: nominationsContract,

  /**
   * Lists members that the actor may see. Searches names, numbers, ID numbers (not for policy holders), addresses and
   * group names. With the tier or to-complete filter, counts stop at 100 000 per status (`totalIsCapped`). For the
   * insurer's staff, one or two letters match only word beginnings.
   */
  list: readProcedure("members.read")
    .route({ method: "GET", path: "/members", summary: "List members", tags })
    .input(listInput(membersList))
    .output(listOutput(membersList, memberRow)),

  /** At most 20 members. */
  pick: readProcedure("members.read")
    .route({ method: "GET", path: "/members/choices", summary: "Find members for a selection list", tags })
    .input(
      z.object({
        search: line(200).default(""),
        statuses: z.array(memberStatus).optional(),
        policyId: z.uuid().optional(),
        id: z.uuid().optional(),
      }),
    )
    .output(z.array(memberChoice)),

  /** NOT_FOUND also for a member of a group that the actor cannot see. */
  detail: readProcedure("members.read", { shows: "member" })
    .route({ method: "GET", path: "/members/{memberId}", summary: "Read a member", tags })
    .input(memberTarget)
    .output(memberDetail),

  /** A page, newest first. */
  activity: readProcedure("members.read")
    .route({ method: "GET", path: "/members/{memberId}/activity", summary: "Read the audit trail of a member", tags })
    .input(memberTarget.extend(timelineBefore))
    .output(timelinePage),

  /** Cover on a day; with `knownAt`, as it was known at that moment. */
  coverOn: readProcedure("members.read")
    .route({ method: "GET", path: "/members/{memberId}/cover", summary: "Read a member's cover on a day", tags })
    .input(memberTarget.extend({ on: day, knownAt: instant.optional() }))
    .output(z.object({ cover: coverPeriod.nullable() })),

  /**
   * Other members with this ID or passport number: in the same policy (saving is refused), or in other visible
   * policies.
   */
  sameIdentity: readProcedure("members.write")
    .route({
      method: "GET",
      path: "/members/same-identity",
      summary: "Find members with the same ID or passport number",
      tags,
    })
    .input(
      z.object({
        idNumber: line(40).optional(),
        passportNumber: line(40).optional(),
        policyId: z.uuid().optional(),
        exceptMemberId: z.uuid().optional(),
      }),
    )
    .output(
      z.array(
        z.object({
          memberId: z.uuid(),
          number: z.string(),
          name: z.string(),
          policyId: z.uuid(),
          policyNumber: z.string(),
          groupName: z.string(),
          inThisPolicy: z.boolean(),
          /** Last day and reason of an ended membership. */
          ended: z.object({ on: day, reason: z.string() }).nullable(),
        }),
      ),
    ),

  /**
   * Adds a member with dependents. In an active policy cover starts on the later of both start dates. Default
   * `startOn`: today, or the start of a draft or future policy. DUPLICATE_IN_POLICY if the person is already in the
   * policy.
   */
  create: writeProcedure("members.write")
    .route({ method: "POST", path: "/members", summary: "Add a member", tags, successStatus: 201 })
    .errors({ POLICY_ENDED: memberErrors.POLICY_ENDED, DUPLICATE_IN_POLICY: memberErrors.DUPLICATE_IN_POLICY })
    .input(
      z.object({
        policyId: z.uuid(),
        tierId: z.uuid(),
        startOn: day.optional(),
        personal: memberPersonal,
        contact: memberContact.extend({
          email: memberContact.shape.email.refine((text) => text !== "", memberFields.email.requiredOnCreate),
        }),
        employment: memberEmployment,
        dependents: dependents.default([]),
        /** Monthly salary from the start day; FORBIDDEN for actors who may not set it. */
        monthlyCents: salary.nullable().optional(),
      }),
    )
    .output(memberDetail),

  /** Saves the given sections; STALE carries the current member. */
  update: writeProcedure("members.write")
    .route({ method: "PATCH", path: "/members/{memberId}", summary: "Edit a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS, DUPLICATE_IN_POLICY: memberErrors.DUPLICATE_IN_POLICY })
    .input(
      edited.extend({
        personal: memberPersonal.optional(),
        contact: memberContact.optional(),
        employment: memberEmployment.optional(),
        /** Only while the member is pending; afterwards use changeTier. */
        allocation: z.object({ tierId: z.uuid(), startOn: day }).optional(),
        dependents: dependents.optional(),
      }),
    )
    .output(memberDetail),

  /**
   * No cover from `on` (inclusive) until the next recorded suspension or reinstatement, which `laterChanges` "replace"
   * replaces.
   */
  suspend: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/suspend", summary: "Suspend a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason, laterChanges }))
    .output(memberDetail),

  /** Covers again from `on` (inclusive) until the next recorded suspension; `laterChanges` as for `suspend`. */
  reinstate: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/reinstate", summary: "Reinstate a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS, DUPLICATE_IN_POLICY: memberErrors.DUPLICATE_IN_POLICY })
    .input(edited.extend({ on: day, reason, laterChanges }))
    .output(memberDetail),

  /** `on` is the last day of cover and may be in the future. */
  terminate: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/terminate", summary: "Terminate a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason }))
    .output(memberDetail),

  /**
   * Withdraws every change planned for a future day: end, suspension, reinstatement, tier. WRONG_STATUS if there is
   * none.
   */
  withdraw: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/withdraw", summary: "Withdraw planned changes", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(memberDetail),

  /**
   * Sets the tier from `on` (inclusive) until the next recorded change; `laterChanges` "replace" replaces later ones.
   */
  changeTier: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/tier", summary: "Change a member's tier", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ tierId: z.uuid(), on: day, reason: text(1_000).optional(), laterChanges }))
    .output(memberDetail),

  /**
   * The cover of the member and each dependent on a day: every benefit of the policy's product type, by person.
   * Amounts in cents; a maximum of 0 means none. With a `gap` the benefit pays nothing. The maximum of a salary multiple
   * is null for readers who may not see salaries. NOT_FOUND for a member that the reader may not see.
   */
  coverage: readProcedure("members.read")
    .route({ method: "GET", path: "/members/{memberId}/coverage", summary: "Read what a member is covered for", tags })
    .input(z.object({ memberId: z.uuid(), on: day }))
    .output(
      z.object({
        tier: z.string(),
        productType: z.string().nullable(),
        persons: z.array(
          z.object({
            /** Null is the member. */
            dependentId: z.uuid().nullable(),
            name: z.string(),
            insured: z.enum(insuredKinds),
            /** Completed years; null if unknown or before birth. */
            age: z.int().nullable(),
            /** Whether member and person have cover on the day, and why not. */
            cover: z.enum(["covered", "suspended", "none"]),
            benefits: z.array(
              z.object({
                benefitId: z.uuid(),
                benefit: z.string(),
                gap: z.enum(coverGaps).nullable(),
                maxCoverCents: cents.nullable(),
                salaryMultiple: z.number().nullable(),
                /** Whole percentage of a claimed amount. */
                coverPercentage: z.int(),
                incidentLimitCents: cents.nullable(),
                yearLimitCents: cents.nullable(),
                coverYear: z.enum(coverYears).nullable(),
                /** The most that all policies together pay on the death of a child of this age; null if the cover is less. */
                childCapCents: cents.nullable(),
                coveredSince: day.nullable(),
                /** First day after the waiting period. */
                claimableFrom: day.nullable(),
              }),
            ),
          }),
        ),
      }),
    ),

  /**
   * Monthly salaries by first day, newest first. Only for actors with access; never in a trail, search, document or
   * mail.
   */
  salaries: readProcedure("members.salary")
    .route({ method: "GET", path: "/members/{memberId}/salaries", summary: "List a member's salaries", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(z.array(z.object({ fromOn: day, untilOn: day.nullable(), monthlyCents: cents }))),

  /**
   * Sets the monthly salary from `on` (inclusive) until the next recorded one; `laterChanges` "replace" replaces later
   * ones. Null = no longer known.
   */
  setSalary: writeProcedure("members.salary")
    .route({ method: "POST", path: "/members/{memberId}/salary", summary: "Set a member's salary", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(
      edited.extend({
        monthlyCents: salary.nullable(),
        on: day,
        laterChanges,
      }),
    )
    .output(memberDetail),

  ...noteProcedures("member", "memberId", tags),

  /** Removes a pending member from a draft policy. */
  remove: writeProcedure("members.write")
    .route({ method: "POST", path: "/members/{memberId}/remove", summary: "Remove a pending member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited)
    .output(z.object({ policyId: z.uuid() })),

  /**
   * Adds a member for each line `name, email, position`, in one transaction. Members get the first tier and are marked
   * "to complete". Returns refused lines with reasons. INVALID without lines.
   */
  bulkAdd: writeProcedure("members.write")
    .route({ method: "POST", path: "/policies/{policyId}/members/add", summary: "Add members from text", tags })
    .errors({ POLICY_ENDED: memberErrors.POLICY_ENDED })
    .input(z.object({ policyId: z.uuid(), text: z.string().max(500_000) }))
    .output(z.object({ added: z.int(), refused: z.array(refusedLine) })),

  /**
   * Removes the members with these e-mail addresses, in one transaction: pending ones leave the draft, others end after
   * `on` for the `reason`. Returns refused lines with reasons. INVALID without lines, or without day or reason unless
   * the policy is a draft.
   */
  bulkRemove: writeProcedure("members.write")
    .route({
      method: "POST",
      path: "/policies/{policyId}/members/remove",
      summary: "Remove members by e-mail address",
      tags,
    })
    .errors({ POLICY_ENDED: memberErrors.POLICY_ENDED })
    .input(
      z.object({
        policyId: z.uuid(),
        text: z.string().max(500_000),
        on: day.optional(),
        reason: text(1_000).optional(),
      }),
    )
    .output(z.object({ removed: z.int(), refused: z.array(refusedLine) })),
}
