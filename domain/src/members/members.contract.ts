import { z } from "zod"
import { day, instant, laterChanges } from "../kernel/calendar-shape.ts"
import { namedShapes, outputShapes } from "../kernel/declared-field-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { policyStatus } from "../policies/policy-shape.ts"
import { relationships } from "./member.ts"
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

export const memberErrors = {
  WRONG_STATUS: { status: 409, message: "The member's status does not allow this." },
  POLICY_ENDED: { status: 409, message: "The policy has come to its end: nobody can be added to it." },
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
  /** The join date. */
  startOn: day,
  endOn: day.nullable(),
  /** What the policy charges a month for the member, today; null where its rates do not cover the household. */
  premiumCents: cents.nullable(),
  /** Why the rates give no premium; null where they do, and where the policy has one premium. */
  unrated: z.string().nullable(),
  dependents: z.int(),
  toComplete: z.array(z.string()),
  allowedActions: z.array(z.enum(memberActions)),
  version: z.int(),
})
export type MemberRow = z.infer<typeof memberRow>

/** A stretch of days; `until` is the last day, inclusive, null without an end. */
export const coverPeriod = z.object({
  tierId: z.uuid(),
  tierName: z.string(),
  kind: z.enum(["covered", "suspended"]),
  from: day,
  until: day.nullable(),
  reason: z.string().nullable(),
  /** Whether the kind, and the tier, were recorded for the first day; false where they continue from the cover before. */
  setsKind: z.boolean(),
  setsTier: z.boolean(),
})

export const dependentDetail = z.object({
  id: z.uuid(),
  /** The ID number is masked for policy holders; the date of birth is null, they read the year. */
  ...namedShapes(memberFields, ["firstName", "lastName", "idNumber", "dateOfBirth", "gender"]),
  birthYear: z.int().nullable(),
  relationship: z.enum(relationships),
  /** The days on which they are covered with the member; `untilOn` is the last, or null. */
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
  /** The last day of membership, perhaps to come. */
  endOn: day.nullable(),
  endReason: z.string().nullable(),
  groupId: z.uuid(),
  groupName: z.string(),
  /** What the policy charges a month for the member, today; null where its rates do not cover the household. */
  premiumCents: cents.nullable(),
  /** Why the rates give no premium; null where they do, and where the policy has one premium. */
  unrated: z.string().nullable(),
  /** `premiumCents` null where rates say it. */
  policy: z.object({ id: z.uuid(), number: z.string(), status: policyStatus, premiumCents: cents.nullable() }),
  tierId: z.uuid(),
  tierName: z.string(),
  /** Both numbers are masked for policy holders; the date of birth is null, they read the year. */
  personal: z.object(outputShapes(memberFields, "personal")),
  birthYear: z.int().nullable(),
  contact: z.object(outputShapes(memberFields, "contact")),
  employment: z.object(outputShapes(memberFields, "employment")),
  dependents: z.array(dependentDetail),
  /** What is true now of past, present and coming days, in order. */
  covers: z.array(coverPeriod),
  /** Fields that are still to be asked for. */
  toComplete: z.array(z.string()),
  /** Unusual things that nobody is refused for: two spouses, a child over 21, the same person in another policy. */
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
const reason = text(1_000).min(1, "Give a reason")
const one = z.object({ memberId: z.uuid() })
const edited = z.object({ memberId: z.uuid(), version: z.int() })
const dependents = z.array(dependentInput).max(50, "At most 50 dependents")
const tags = ["Members"]

export const membersContract = {
  /**
   * Members that the actor may see. They find any part of a name, number, ID number or address, and the name of a
   * group; a policy holder does not search by ID number. Narrowed by a tier or by what is to complete,
   * counting stops at 100 000 of a status (`totalIsCapped`). One or two letters of the insurer's own people
   * find the words that begin with them.
   */
  list: read("members.read")
    .route({ method: "GET", path: "/members", summary: "List members", tags })
    .input(listInput(membersList))
    .output(listOutput(membersList, memberRow)),

  /** Up to 20 members for a picker. */
  pick: read("members.read")
    .route({ method: "GET", path: "/members/choices", summary: "Find members to choose from", tags })
    .input(
      z.object({
        search: line(200).default(""),
        statuses: z.array(memberStatus).optional(),
        policyId: z.uuid().optional(),
        id: z.uuid().optional(),
      }),
    )
    .output(z.array(memberChoice)),

  /** One member; NOT_FOUND as well when it belongs to a group that the actor does not see. */
  detail: read("members.read", { shows: "member" })
    .route({ method: "GET", path: "/members/{memberId}", summary: "One member", tags })
    .input(one)
    .output(memberDetail),

  /** A page of what happened to the member, newest first. */
  activity: read("members.read")
    .route({ method: "GET", path: "/members/{memberId}/activity", summary: "The trail of a member", tags })
    .input(one.extend(timelineBefore))
    .output(timelinePage),

  /** What was true on a day, and, with `knownAt`, what was known of it at that moment. */
  coverOn: read("members.read")
    .route({ method: "GET", path: "/members/{memberId}/cover", summary: "Cover on a day", tags })
    .input(one.extend({ on: day, knownAt: instant.optional() }))
    .output(z.object({ cover: coverPeriod.nullable() })),

  /** Who else has this ID or passport number: in the policy (an error when saved), or in others the actor sees. */
  sameIdentity: read("members.write")
    .route({ method: "GET", path: "/members/same-identity", summary: "Find the same person", tags })
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
          /** The last day and its reason of somebody whose membership has ended. */
          ended: z.object({ on: day, reason: z.string() }).nullable(),
        }),
      ),
    ),

  /**
   * Adds a member with dependents. In an active policy cover starts on the later of the member's and the policy's
   * start date; without `startOn` that is today, or the start of a policy that is a draft or still to start. DUPLICATE_IN_POLICY when the person is there.
   */
  create: write("members.write")
    .route({ method: "POST", path: "/members", summary: "Add a member", tags, successStatus: 201 })
    .errors({ POLICY_ENDED: memberErrors.POLICY_ENDED, DUPLICATE_IN_POLICY: memberErrors.DUPLICATE_IN_POLICY })
    .input(
      z.object({
        policyId: z.uuid(),
        tierId: z.uuid(),
        startOn: day.optional(),
        personal: memberPersonal,
        contact: memberContact.extend({
          email: memberContact.shape.email.refine((text) => text !== "", memberFields.email.requiredAtFirst),
        }),
        employment: memberEmployment,
        dependents: dependents.default([]),
        /** What they earn a month from their start on; FORBIDDEN from whom may not set it. */
        monthlyCents: salary.nullable().optional(),
      }),
    )
    .output(memberDetail),

  /** Saves the sections that are given; STALE carries the current member when somebody else saved in between. */
  update: write("members.write")
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
   * No cover from `on`, that day included, until the next recorded suspension or reinstatement; with `laterChanges`
   * "replace", those are replaced.
   */
  suspend: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/suspend", summary: "Suspend a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason, laterChanges }))
    .output(memberDetail),

  /** Cover again from `on`, that day included, until the next recorded suspension; `laterChanges` as for `suspend`. */
  reinstate: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/reinstate", summary: "Reinstate a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS, DUPLICATE_IN_POLICY: memberErrors.DUPLICATE_IN_POLICY })
    .input(edited.extend({ on: day, reason, laterChanges }))
    .output(memberDetail),

  /** Ends membership; `on` is the last day of cover and may be to come. */
  terminate: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/terminate", summary: "Terminate a member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason }))
    .output(memberDetail),

  /**
   * Takes back whatever is recorded for days after today: notice, a suspension, a reinstatement, another tier. Cover
   * goes on as it is today. WRONG_STATUS when nothing is planned.
   */
  withdraw: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/withdraw", summary: "Withdraw what is planned", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(memberDetail),

  /**
   * Another benefit tier from `on`, that day included, until the next recorded change of tier; with `laterChanges`
   * "replace", later changes of tier are replaced.
   */
  changeTier: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/tier", summary: "Change a member's tier", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited.extend({ tierId: z.uuid(), on: day, reason: text(1_000).optional(), laterChanges }))
    .output(memberDetail),

  /**
   * What a member earns a month, by the day from which it holds, the newest first. Only for those who may know it; it
   * stands in no trail, search, document or mail.
   */
  salaries: read("members.salary")
    .route({ method: "GET", path: "/members/{memberId}/salaries", summary: "What a member earns", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(z.array(z.object({ fromOn: day, untilOn: day.nullable(), monthlyCents: cents }))),

  /**
   * What a member earns a month from `on` on, that day included, until the next recorded salary; with `laterChanges`
   * "replace", later salaries are replaced. Null: the salary is no longer known.
   */
  setSalary: write("members.salary")
    .route({ method: "POST", path: "/members/{memberId}/salary", summary: "Set what a member earns", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(
      edited.extend({
        monthlyCents: salary.nullable(),
        on: day,
        laterChanges,
      }),
    )
    .output(memberDetail),

  /** Takes a pending member out of a draft policy. */
  remove: write("members.write")
    .route({ method: "POST", path: "/members/{memberId}/remove", summary: "Remove a pending member", tags })
    .errors({ WRONG_STATUS: memberErrors.WRONG_STATUS })
    .input(edited)
    .output(z.object({ policyId: z.uuid() })),

  /**
   * Adds a member for each line `name, email, position`, in one transaction. Lines that were not applied are listed
   * with their reasons. Members are in the first tier and marked "to complete". INVALID when there is no line.
   */
  bulkAdd: write("members.write")
    .route({ method: "POST", path: "/policies/{policyId}/members/add", summary: "Add members by text", tags })
    .errors({ POLICY_ENDED: memberErrors.POLICY_ENDED })
    .input(z.object({ policyId: z.uuid(), text: z.string().max(500_000) }))
    .output(z.object({ added: z.int(), refused: z.array(refusedLine) })),

  /**
   * Removes the members of the lines' e-mail addresses, in one transaction: pending ones leave the draft, others end
   * after the day `on`, for the `reason`. Lines that were not applied are listed with their reasons. INVALID when there
   * is no line, and without day or reason where the policy is no draft.
   */
  bulkRemove: write("members.write")
    .route({ method: "POST", path: "/policies/{policyId}/members/remove", summary: "Remove members by text", tags })
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
