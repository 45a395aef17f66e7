import { z } from "zod"
import { groupName } from "../employers/employer-shape.ts"
import { employerErrors } from "../employers/employers.contract.ts"
import { day, instant, laterChanges } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { endRules } from "./end-rule.ts"
import { policiesList } from "./policies.list.ts"
import { policyDocumentsContract } from "./policy-documents.contract.ts"
import { policyActions } from "./policy-lifecycle.ts"
import { policyContact, policyCoverage, policyInformation, policyStatus, policyTerms } from "./policy-shape.ts"
import { rateTable } from "./rates-shape.ts"

const missing = z.object({ field: z.string(), label: z.string() })

export const policyErrors = {
  WRONG_STATUS: { status: 409, message: "The policy's status does not allow this." },
  INCOMPLETE: {
    status: 409,
    message: "The policy is not ready to activate.",
    data: z.object({ missing: z.array(missing) }),
  },
  GROUP_HAS_MEMBERS: { status: 409, message: "The group cannot be changed once members were added." },
} as const

export const policyRow = z.object({
  id: z.uuid(),
  number: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  productTypeName: z.string().nullable(),
  status: policyStatus,
  /** The effective date. */
  startOn: day.nullable(),
  endOn: day.nullable(),
  /** Members that are not terminated. */
  memberCount: z.int(),
  /** What one member costs a month, today; null where rates say it. */
  premiumCents: cents.nullable(),
  /** What the members who are active or pending cost a month, today; null where somebody has no rate. */
  monthlyPremiumCents: cents.nullable(),
  /** How many people have no rate, in words: "No rate for 2 people"; null where everybody has one. */
  unrated: z.string().nullable(),
  allowedActions: z.array(z.enum(policyActions)),
})
export type PolicyRow = z.infer<typeof policyRow>

export const policyDetail = z.object({
  id: z.uuid(),
  number: z.string(),
  status: policyStatus,
  statusReason: z.string().nullable(),
  terminatedOn: day.nullable(),
  groupId: z.uuid(),
  productTypeName: z.string().nullable(),
  information: policyInformation,
  coverage: policyCoverage,
  terms: policyTerms,
  /** Numbers are answered as they were written, also from before there was a rule for them. */
  contact: policyContact.extend({ contactPhone: z.string(), contactCell: z.string() }),
  /** Whether rates stand in place of one premium, which is nothing then. */
  rated: z.boolean(),
  /** A premium that was set for a later day; null where it is rates. */
  upcomingPremium: z.object({ premiumCents: cents.nullable(), fromOn: day }).nullable(),
  /** The next product type, sum assured and waiting period that were set for a later day; `information` and `coverage` have today's. */
  upcomingProductType: z.object({ productTypeId: z.uuid(), name: z.string(), fromOn: day }).nullable(),
  upcomingSumAssured: z.object({ sumAssuredCents: cents.nullable(), fromOn: day }).nullable(),
  upcomingWaitingPeriod: z.object({ waitingPeriodMonths: z.int(), fromOn: day }).nullable(),
  /** A rule for the month in which cover ends that was set for a later day. */
  upcomingEndRule: z.object({ rule: z.enum(endRules), fromOn: day }).nullable(),
  members: z.object({ total: z.int(), pending: z.int(), active: z.int(), suspended: z.int(), terminated: z.int() }),
  /** What the members who are active or pending cost a month, today; null where somebody has no rate. */
  monthlyPremiumCents: cents.nullable(),
  /** How many people have no rate, in words: "No rate for 2 people"; null where everybody has one. */
  unrated: z.string().nullable(),
  /** What activation still asks for; empty unless the policy is a draft. */
  missing: z.array(missing),
  /** How many documents the reader sees of it. */
  documents: z.int(),
  /** The names of the types of document that it needs and has none of; activation warns of them. */
  missingDocuments: z.array(z.string()),
  allowedActions: z.array(z.enum(policyActions)),
  createdAt: instant,
  updatedAt: instant,
  version: z.int(),
})
export type PolicyDetail = z.infer<typeof policyDetail>

/** A policy as pickers show it. */
export const policyChoice = z.object({
  id: z.uuid(),
  number: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  status: policyStatus,
  productTypeId: z.uuid().nullable(),
  startOn: day.nullable(),
  endOn: day.nullable(),
  /** Null where rates say it. */
  premiumCents: cents.nullable(),
  /** Whether its rates are of a sum assured that follows the salary. */
  bySalary: z.boolean(),
})
export type PolicyChoice = z.infer<typeof policyChoice>

const reason = text(1_000).min(1, "Give a reason")
const policyId = z.uuid()
const one = z.object({ policyId })
const edited = z.object({ policyId, version: z.int() })
const tags = ["Policies"]

/** The fields of a draft; what is left out stays as it is. */
const draft = {
  ...policyInformation.omit({ groupName: true }).partial().shape,
  ...policyCoverage.partial().shape,
  ...policyTerms.partial().shape,
  ...policyContact.partial().shape,
}

export const policiesContract = {
  documents: policyDocumentsContract,

  /** Policies that the actor may see, with the counts of each status among those that match the search. */
  list: read("policies.read")
    .route({ method: "GET", path: "/policies", summary: "List policies", tags })
    .input(listInput(policiesList))
    .output(listOutput(policiesList, policyRow)),

  /** One policy; NOT_FOUND as well when it belongs to a group that the actor does not see. */
  detail: read("policies.read", { shows: "policy" })
    .route({ method: "GET", path: "/policies/{policyId}", summary: "One policy", tags })
    .input(one)
    .output(policyDetail),

  /** A page of what happened to the policy, newest first: who, what, when, before and after. */
  activity: read("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/activity", summary: "The trail of a policy", tags })
    .input(one.extend(timelineBefore))
    .output(timelinePage),

  /** Up to 20 policies for a picker, by group name or number. */
  pick: read("policies.read")
    .route({ method: "GET", path: "/policies/choices", summary: "Find policies to choose from", tags })
    .input(
      z.object({
        search: line(200).default(""),
        statuses: z.array(policyStatus).optional(),
        id: z.uuid().optional(),
      }),
    )
    .output(z.array(policyChoice)),

  /**
   * Opens a draft for an existing or a new employer group and gives it its number, which is never used again. The
   * premium starts as the setting "default member premium" says. NAME_TAKEN when the new group exists.
   */
  create: write("policies.write")
    .route({ method: "POST", path: "/policies", summary: "Create a draft", tags, successStatus: 201 })
    .errors({ NAME_TAKEN: employerErrors.NAME_TAKEN })
    .input(
      z.object({
        group: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("existing"), groupId: z.uuid() }),
          z.object({ kind: z.literal("new"), name: groupName }),
        ]),
        ...draft,
      }),
    )
    .output(policyDetail),

  /** What a new draft starts with: the default premium of the settings, and whether there is a group to choose. */
  draftDefaults: read("policies.write")
    .route({ method: "GET", path: "/policies/draft-defaults", summary: "What a new draft starts with", tags })
    .input(z.object({}))
    .output(z.object({ premiumCents: cents, hasGroups: z.boolean() })),

  /**
   * Deletes a draft with its pending members and staff lists, and its employer group when nothing else uses that:
   * no other policy, no account, no invitation. Refuses WRONG_STATUS for any other policy, and while a staff list of
   * it is being read.
   */
  deleteDraft: write("policies.write")
    .route({ method: "DELETE", path: "/policies/{policyId}", summary: "Delete a draft", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited)
    .output(z.object({ number: z.string(), groupDeleted: z.boolean() })),

  /** Saves what the wizard holds; only for drafts, and not in the trail. `groupId` moves it to another group. */
  saveDraft: write("policies.write")
    .route({ method: "PATCH", path: "/policies/{policyId}/draft", summary: "Save a draft", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, GROUP_HAS_MEMBERS: policyErrors.GROUP_HAS_MEMBERS })
    .input(edited.extend({ groupId: z.uuid().optional(), ...draft }))
    .output(policyDetail),

  /**
   * Saves one section. Of an active policy a changed premium applies from `premiumFromOn`, a changed product type from
   * `productTypeFromOn`, a changed sum assured from `sumAssuredFromOn`, a changed waiting period from `waitingPeriodFromOn`,
   * and a changed rule for the month in which cover ends from `endRuleFromOn`. The default is the first of next month, and
   * no day is before the policy's start. A value that equals today's is recorded only where its day is given. Each applies
   * until the next recorded change of the same value; with `laterChanges` "replace", later changes are replaced. Claims are
   * judged by the product type and waiting period of their incident day. `billedFromOn` counts for all months. STALE
   * carries the current policy when somebody else saved in between.
   */
  updateSection: write("policies.write")
    .route({ method: "PATCH", path: "/policies/{policyId}", summary: "Edit a section", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, NAME_TAKEN: employerErrors.NAME_TAKEN })
    .input(
      edited.extend({
        change: z.discriminatedUnion("section", [
          z.object({
            section: z.literal("information"),
            values: policyInformation.extend({ productTypeFromOn: day.optional(), laterChanges }),
          }),
          z.object({
            section: z.literal("coverage"),
            values: policyCoverage.extend({
              premiumFromOn: day.optional(),
              sumAssuredFromOn: day.optional(),
              waitingPeriodFromOn: day.optional(),
              laterChanges,
            }),
          }),
          z.object({
            section: z.literal("terms"),
            values: policyTerms.extend({ endRuleFromOn: day.optional(), laterChanges }),
          }),
          z.object({ section: z.literal("contact"), values: policyContact }),
        ]),
      }),
    )
    .output(policyDetail),

  /**
   * The rates of a policy: those of today (of a draft, its own), and those that were set for later, in order of their days.
   * Empty where every member costs the same.
   */
  rates: read("rates.read")
    .route({ method: "GET", path: "/policies/{policyId}/rates", summary: "The rates of a policy", tags })
    .input(one)
    .output(z.object({ tables: z.array(z.object({ fromOn: day.nullable(), table: rateTable })) })),

  /**
   * Puts a rate table in place of the premium, or of the rates: of a draft at once (null: one premium again), of an active
   * policy from `fromOn` on, by default the first of next month, until the next recorded premium or rates; with
   * `laterChanges` "replace", those are replaced. INVALID names the rows that are wrong, and a table is
   * never changed: months that were billed keep what they were billed by.
   */
  saveRates: write("rates.write")
    .route({ method: "PUT", path: "/policies/{policyId}/rates", summary: "Change the rates", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ rates: rateTable.nullable(), fromOn: day.optional(), laterChanges }))
    .output(policyDetail),

  /**
   * The dated terms of a policy, each in order of its first days: premiums or rates, rules for the month in which cover
   * ends, product types, sums assured and waiting periods. Each applies until the day before the next. Empty for a draft.
   * `premiumCents` is null for rates, `sumAssuredCents` where none is set.
   */
  datedTerms: read("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/dated-terms", summary: "The terms of a policy by day", tags })
    .input(one)
    .output(
      z.object({
        premiums: z.array(z.object({ fromOn: day, premiumCents: cents.nullable() })),
        endRules: z.array(z.object({ fromOn: day, rule: z.enum(endRules) })),
        productTypes: z.array(z.object({ fromOn: day, productTypeId: z.uuid(), name: z.string() })),
        sumsAssured: z.array(z.object({ fromOn: day, sumAssuredCents: cents.nullable() })),
        waitingPeriods: z.array(z.object({ fromOn: day, waitingPeriodMonths: z.int() })),
      }),
    ),

  /**
   * Draft to Active; its members become Active. INCOMPLETE names what is missing, and who has no rate. `billedFromOn` is
   * the month from which the policy is billed here, in place of the one that the draft has.
   */
  activate: write("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/activate", summary: "Activate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, INCOMPLETE: policyErrors.INCOMPLETE })
    .input(edited.extend({ billedFromOn: day.optional() }))
    .output(policyDetail),

  /** Active to Suspended from today on: nobody on it has cover until it is reinstated. */
  suspend: write("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/suspend", summary: "Suspend a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(policyDetail),

  /** Suspended to Active from today on. */
  reinstate: write("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/reinstate", summary: "Reinstate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(policyDetail),

  /**
   * Expired to Active, for 60 days after the end date: cover continues from the day after it until `endOn` (null: without
   * an end), with the same numbers. Members who ended with the policy continue too, so waiting periods go on. A policy
   * that was suspended when it expired is Suspended again.
   */
  renew: write("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/renew", summary: "Renew an expired policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ endOn: day.nullable() }))
    .output(policyDetail),

  /** Active or Suspended to Terminated; `on` is the last day, not after today. Its members end on that day. */
  terminate: write("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/terminate", summary: "Terminate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason }))
    .output(policyDetail),
}
