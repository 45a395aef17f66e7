import { z } from "zod"
import { groupName } from "../employers/employer-shape.ts"
import { employerErrors } from "../employers/employers.contract.ts"
import { day, instant, laterChanges } from "../kernel/calendar-shape.ts"
import { outputShapes } from "../kernel/declared-field-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { endRules } from "./end-rule.ts"
import { policiesList } from "./policies.list.ts"
import { policyDocumentsContract } from "./policy-documents.contract.ts"
import { policyFields } from "./policy-fields.ts"
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
  GROUP_HAS_MEMBERS: { status: 409, message: "The group cannot be changed after members were added." },
} as const

export const policyRow = z.object({
  id: z.uuid(),
  number: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  productTypeName: z.string().nullable(),
  status: policyStatus,
  startOn: day.nullable(),
  endOn: day.nullable(),
  memberCount: z.int(),
  /** Today's monthly premium of one member; null for policies with rates. */
  premiumCents: cents.nullable(),
  /** Today's monthly premium of all active and pending members; null if a person has no rate. */
  monthlyPremiumCents: cents.nullable(),
  /** For example "No rate for 2 people"; null if everybody has a rate. */
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
  information: policyInformation.extend(outputShapes(policyFields, "information")),
  coverage: policyCoverage,
  terms: policyTerms,
  /** Phone numbers are returned as stored; old ones may not match the current format. */
  contact: policyContact.extend({ contactPhone: z.string(), contactCell: z.string() }),
  /** True if rates replace the single premium, which is then null. */
  rated: z.boolean(),
  upcomingPremium: z.object({ premiumCents: cents.nullable(), fromOn: day }).nullable(),
  /** Values recorded for a later day; `information` and `coverage` contain today's values. */
  upcomingProductType: z.object({ productTypeId: z.uuid(), name: z.string(), fromOn: day }).nullable(),
  upcomingOwningFund: z.object({ owningFund: z.string(), fromOn: day }).nullable(),
  upcomingSumAssured: z.object({ sumAssuredCents: cents.nullable(), fromOn: day }).nullable(),
  upcomingWaitingPeriod: z.object({ waitingPeriodMonths: z.int(), fromOn: day }).nullable(),
  upcomingEndRule: z.object({ rule: z.enum(endRules), fromOn: day }).nullable(),
  members: z.object({ total: z.int(), pending: z.int(), active: z.int(), suspended: z.int(), terminated: z.int() }),
  /** Today's monthly premium of all active and pending members; null if a person has no rate. */
  monthlyPremiumCents: cents.nullable(),
  /** For example "No rate for 2 people"; null if everybody has a rate. */
  unrated: z.string().nullable(),
  /** Fields that activation still requires; empty unless the policy is a draft. */
  missing: z.array(missing),
  documents: z.int(),
  /** Required document types without a document; they do not prevent activation. */
  missingDocuments: z.array(z.string()),
  allowedActions: z.array(z.enum(policyActions)),
  createdAt: instant,
  updatedAt: instant,
  version: z.int(),
})
export type PolicyDetail = z.infer<typeof policyDetail>

export const policyChoice = z.object({
  id: z.uuid(),
  number: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  status: policyStatus,
  productTypeId: z.uuid().nullable(),
  startOn: day.nullable(),
  endOn: day.nullable(),
  /** Null for policies with rates. */
  premiumCents: cents.nullable(),
  bySalary: z.boolean(),
})
export type PolicyChoice = z.infer<typeof policyChoice>

const reason = text(1_000).min(1, "Enter a reason")
const policyId = z.uuid()
const policyTarget = z.object({ policyId })
const edited = z.object({ policyId, version: z.int() })
const tags = ["Policies"]

/** Omitted fields stay unchanged. */
const draft = {
  ...policyInformation.omit({ groupName: true }).partial().shape,
  ...policyCoverage.partial().shape,
  ...policyTerms.partial().shape,
  ...policyContact.partial().shape,
}

export const policiesContract = {
  documents: policyDocumentsContract,

  /** Policies that the actor may see, with counts per status of the search result. */
  list: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies", summary: "List policies", tags })
    .input(listInput(policiesList))
    .output(listOutput(policiesList, policyRow)),

  /** One policy; NOT_FOUND also for a group that the actor may not see. */
  detail: readProcedure("policies.read", { shows: "policy" })
    .route({ method: "GET", path: "/policies/{policyId}", summary: "Read a policy", tags })
    .input(policyTarget)
    .output(policyDetail),

  /** A page of the policy's audit trail, newest first. */
  activity: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/activity", summary: "Read the audit trail of a policy", tags })
    .input(policyTarget.extend(timelineBefore))
    .output(timelinePage),

  /** Up to 20 policies, by group name or number. */
  pick: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/choices", summary: "Find policies for a selection list", tags })
    .input(
      z.object({
        search: line(200).default(""),
        statuses: z.array(policyStatus).optional(),
        id: z.uuid().optional(),
      }),
    )
    .output(z.array(policyChoice)),

  /**
   * Creates a draft for an existing or a new employer group. Policy numbers are never reused. NAME_TAKEN if the new
   * group exists.
   */
  create: writeProcedure("policies.write")
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

  draftDefaults: readProcedure("policies.write")
    .route({ method: "GET", path: "/policies/draft-defaults", summary: "Read the defaults of a new draft", tags })
    .input(z.object({}))
    .output(z.object({ premiumCents: cents, hasGroups: z.boolean() })),

  /**
   * Deletes a draft with its pending members and staff lists, and its employer group if no other policy, account or
   * invitation uses it. WRONG_STATUS for other policies and while a staff list is processed.
   */
  deleteDraft: writeProcedure("policies.write")
    .route({ method: "DELETE", path: "/policies/{policyId}", summary: "Delete a draft", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited)
    .output(z.object({ number: z.string(), groupDeleted: z.boolean() })),

  /** Saves a draft without an audit entry. `groupId` moves it to another group. */
  saveDraft: writeProcedure("policies.write")
    .route({ method: "PATCH", path: "/policies/{policyId}/draft", summary: "Save a draft", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, GROUP_HAS_MEMBERS: policyErrors.GROUP_HAS_MEMBERS })
    .input(edited.extend({ groupId: z.uuid().optional(), ...draft }))
    .output(policyDetail),

  /**
   * Saves one section. An active policy's changed premium, product type, owning fund, sum assured, waiting period or
   * end rule applies from its `…FromOn` day until the next recorded change. Default: the first of next month, not before the
   * policy's start. A value equal to today's is recorded only with a given day. `laterChanges` "replace" replaces later
   * changes. Claims use the terms of the incident day. `billedFromOn` applies to all months. STALE carries the current
   * policy.
   */
  updateSection: writeProcedure("policies.write")
    .route({ method: "PATCH", path: "/policies/{policyId}", summary: "Edit a section", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, NAME_TAKEN: employerErrors.NAME_TAKEN })
    .input(
      edited.extend({
        change: z.discriminatedUnion("section", [
          z.object({
            section: z.literal("information"),
            values: policyInformation.extend({
              productTypeFromOn: day.optional(),
              owningFundFromOn: day.optional(),
              laterChanges,
            }),
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
   * Today's rates (of a draft: its only rates), then later ones by first day. Empty if the policy has a single premium.
   */
  rates: readProcedure("rates.read")
    .route({ method: "GET", path: "/policies/{policyId}/rates", summary: "Read the rates of a policy", tags })
    .input(policyTarget)
    .output(z.object({ tables: z.array(z.object({ fromOn: day.nullable(), table: rateTable })) })),

  /**
   * Sets the rates of a draft (null: a single premium), or of an active policy from `fromOn` until the next recorded
   * change. Default: the first of next month; `laterChanges` "replace" replaces later changes. INVALID names wrong
   * rows. Tables are immutable: billed months keep theirs.
   */
  saveRates: writeProcedure("rates.write")
    .route({ method: "PUT", path: "/policies/{policyId}/rates", summary: "Change the rates", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ rates: rateTable.nullable(), fromOn: day.optional(), laterChanges }))
    .output(policyDetail),

  /**
   * Dated terms of a policy, each in order of first day and valid until the day before the next. Empty for a draft.
   * `premiumCents` is null for rates, `sumAssuredCents` if none is set.
   */
  datedTerms: readProcedure("policies.read")
    .route({
      method: "GET",
      path: "/policies/{policyId}/dated-terms",
      summary: "Read the dated terms of a policy",
      tags,
    })
    .input(policyTarget)
    .output(
      z.object({
        premiums: z.array(z.object({ fromOn: day, premiumCents: cents.nullable() })),
        endRules: z.array(z.object({ fromOn: day, rule: z.enum(endRules) })),
        productTypes: z.array(z.object({ fromOn: day, productTypeId: z.uuid(), name: z.string() })),
        /** `owningFund` is empty if the employer owns the policy. */
        owningFunds: z.array(z.object({ fromOn: day, owningFund: z.string() })),
        sumsAssured: z.array(z.object({ fromOn: day, sumAssuredCents: cents.nullable() })),
        waitingPeriods: z.array(z.object({ fromOn: day, waitingPeriodMonths: z.int() })),
      }),
    ),

  /**
   * Draft to Active, with its members. INCOMPLETE names missing fields and people without a rate. `billedFromOn`
   * replaces the draft's first month billed.
   */
  activate: writeProcedure("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/activate", summary: "Activate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS, INCOMPLETE: policyErrors.INCOMPLETE })
    .input(edited.extend({ billedFromOn: day.optional() }))
    .output(policyDetail),

  /** Active to Suspended from today; its members have no cover until reinstatement. */
  suspend: writeProcedure("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/suspend", summary: "Suspend a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(policyDetail),

  /** Suspended to Active from today. */
  reinstate: writeProcedure("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/reinstate", summary: "Reinstate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ reason }))
    .output(policyDetail),

  /**
   * Expired to Active, within 60 days of the end date and without a gap. `endOn` null: no end. Members whose cover
   * ended with the policy continue with their waiting periods. A policy that expired while suspended becomes Suspended.
   */
  renew: writeProcedure("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/renew", summary: "Renew an expired policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ endOn: day.nullable() }))
    .output(policyDetail),

  /** Active or Suspended to Terminated; `on` is the last day, today or earlier. The members' cover ends on that day. */
  terminate: writeProcedure("policies.write")
    .route({ method: "POST", path: "/policies/{policyId}/terminate", summary: "Terminate a policy", tags })
    .errors({ WRONG_STATUS: policyErrors.WRONG_STATUS })
    .input(edited.extend({ on: day, reason }))
    .output(policyDetail),
}
