import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { relationships } from "../members/member.ts"
import { documentShape } from "../platform/documents-shape.ts"
import { timelinePage } from "../platform/timeline-shape.ts"
import { causesOfDeath, claimStatuses, claimTypes, documentTypes, stages } from "./claim.ts"
import { clockStates } from "./claim-clock.ts"
import { coverChecks, coverResults } from "./claim-cover.ts"
import { type ClaimAction, claimLifecycle } from "./claim-lifecycle.ts"
import { pendingStates, priorities } from "./claim-priority.ts"
import { reopeningKinds } from "./reopening.ts"

export const claimActions: [ClaimAction, ...ClaimAction[]] = ["withdraw", ...claimLifecycle.actions]

const status = z.enum(claimStatuses)
const stage = z.enum(stages)
const documentType = z.enum(documentTypes)
const namedRecord = z.object({ id: z.uuid(), name: z.string() })
export const claimRow = z.object({
  id: z.uuid(),
  number: z.string(),
  status,
  claimType: z.enum(claimTypes).nullable(),
  member: z.object({ id: z.uuid(), number: z.string(), firstName: z.string(), lastName: z.string() }),
  /** Name of the dependent, or of the member. */
  insuredPerson: z.string(),
  policy: z.object({ id: z.uuid(), number: z.string() }),
  group: namedRecord,
  benefit: namedRecord.nullable(),
  incidentOn: day.nullable(),
  claimAmountCents: cents.nullable(),
  requestedAmountCents: cents.nullable(),
  approvedAmountCents: cents.nullable(),
  submittedAt: instant.nullable(),
  decidedAt: instant.nullable(),
  /** True if sent back and not routed since. */
  sentBack: z.boolean(),
  /** Why the claim was reopened after a decision, until it is routed; otherwise null. */
  reopened: z.enum(reopeningKinds).nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(claimActions)),
})
export type ClaimRow = z.infer<typeof claimRow>

export const pendingRow = claimRow.extend({
  waitingDays: z.int().min(0),
  priority: z.enum(priorities),
  state: z.enum(pendingStates),
  assignedTo: z.string(),
  /** The last day of the promise; null while the claim waits for documents. */
  dueOn: day.nullable(),
  timeLeft: z.string(),
  clock: z.enum(clockStates),
  waitsForMe: z.boolean(),
})
export type PendingRow = z.infer<typeof pendingRow>

const approval = z.object({
  round: z.int(),
  stage,
  status: z.enum(["pending", "approved", "rejected"]),
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  approvedAmountCents: cents.nullable(),
  comment: z.string().nullable(),
  /** Visible to every reader. */
  reductionReason: z.string().nullable(),
})

const sendingBack = z.object({
  round: z.int(),
  by: z.string(),
  at: instant,
  /** Null for readers without medical access, unless someone of their own role gave it. */
  reason: z.string().nullable(),
})

const reopening = z.object({
  kind: z.enum(reopeningKinds),
  /** The round of approvals that it opened; the former decision is that of the round before. */
  round: z.int(),
  by: z.string(),
  at: instant,
  /** Null for readers without medical access. */
  reason: z.string().nullable(),
  /** The day an appeal was received; null for a withdrawn approval. */
  receivedOn: day.nullable(),
  /** Whether the appeal was received after the time limit. */
  isLate: z.boolean(),
  /** When the claim was rejected or approved. */
  decidedAt: instant,
  /** Hidden as `rejectionReason` of a claim. */
  rejectionReason: z.string().nullable(),
  approvedAmountCents: cents.nullable(),
})

/** For a policy holder a document is named by its type: file names may reveal medical facts. */
const document = documentShape(documentType)
export type ClaimDocument = z.infer<typeof document>

export const documentOpening = z.object({
  /** May name a document that was removed since. */
  documentId: z.uuid(),
  /** Null for the system. */
  byId: z.uuid().nullable(),
  by: z.string(),
  role: z.string().nullable(),
  at: instant,
})
export type DocumentOpening = z.infer<typeof documentOpening>

export const followUp = z.object({
  /** Id of the note. */
  id: z.uuid(),
  recordKind: z.enum(["claim", "member"]),
  recordId: z.uuid(),
  recordNumber: z.string(),
  memberName: z.string(),
  text: z.string(),
  followUpOn: day,
  writtenAt: instant,
})
export type FollowUp = z.infer<typeof followUp>

export const claimDetail = z.object({
  id: z.uuid(),
  number: z.string(),
  status,
  version: z.int(),
  round: z.int(),
  member: claimRow.shape.member.extend({
    /** Masked for a policy holder; null when the member has a passport instead. */
    idNumber: z.string().nullable(),
    /** Tier on the incident day, stored at submission. */
    tier: z.string().nullable(),
  }),
  policy: claimRow.shape.policy.extend({ productType: z.string().nullable() }),
  group: namedRecord,
  /** The insured dependent; null if the member is insured. */
  dependent: z.object({ id: z.uuid(), name: z.string(), relationship: z.enum(relationships) }).nullable(),
  benefit: namedRecord.nullable(),
  claimType: z.enum(claimTypes).nullable(),
  incidentOn: day.nullable(),
  notificationOn: day.nullable(),
  /** ISO 3166-1 alpha-2 code. */
  incidentCountry: z.string(),
  claimAmountCents: cents.nullable(),
  requestedAmountCents: cents.nullable(),
  approvedAmountCents: cents.nullable(),
  /** Null for readers without medical access. */
  medical: z
    .object({
      description: z.string(),
      diagnosis: z.string(),
      hospitalName: z.string(),
      doctorName: z.string(),
      treatmentDetails: z.string(),
      billNumber: z.string(),
      /** Only for a death claim. */
      causeOfDeath: z.enum(causesOfDeath).nullable(),
    })
    .nullable(),
  capturedBy: z.string(),
  submittedBy: z.string().nullable(),
  submittedAt: instant.nullable(),
  reviewedBy: z.string().nullable(),
  routedAt: instant.nullable(),
  finalApprovalAt: instant.nullable(),
  rejectedAt: instant.nullable(),
  rejectionReason: z.string().nullable(),
  /** Last day to appeal against a rejection; null for other statuses. A late appeal is allowed. */
  appealUntil: day.nullable(),
  /** Day by which an appeal must be decided; null without an open appeal. */
  answerDueBy: day.nullable(),
  withdrawnAt: instant.nullable(),
  withdrawnBy: z.string().nullable(),
  /** Null for readers without medical access. */
  withdrawalReason: z.string().nullable(),
  paymentOn: day.nullable(),
  hasPayments: z.boolean(),
  requestedDocuments: z.array(documentType),
  /** Documents that the settings require; one of `documents` is enough. After routing, only attached and waived ones. */
  requiredDocuments: z.array(
    z.object({
      documents: z.array(documentType),
      state: z.enum(["there", "missing", "waived"]),
      waiver: z.object({ by: z.string(), at: instant, reason: z.string().nullable() }).nullable(),
    }),
  ),
  /** The promise in working days from complete documents to the decision; null for a draft. */
  clock: z
    .object({
      state: z.enum(clockStates),
      /** Such as "2 working days left". */
      text: z.string(),
      promisedDays: z.int().nullable(),
      documentsCompleteAt: instant.nullable(),
      dueOn: day.nullable(),
    })
    .nullable(),
  /** Amount last approved in this round, or the requested amount before any approval. */
  amountBeforeCents: cents,
  /**
   * Cover for the product, benefit and tier, stored at submission. 0 means no maximum, or, if `coverPercentage` is
   * null, that the product does not give the benefit.
   */
  maxCoverCents: cents,
  /** The cover limit after the percentage and the member's other claims; null means unlimited. */
  limitCents: cents.nullable(),
  /** What approved claims leave of the cap on a child's life, over all policies: no approval may exceed it. */
  childCap: z.object({ leftCents: cents, reason: z.string() }).nullable(),
  /** The requested amount, capped by the limit. */
  proposedAmountCents: cents,
  /** How the limit and the proposed amount come about, a sentence each. */
  coverWorking: z.array(z.string()),
  /**
   * Facts that differ from those stored at submission, with the latest record that changed each; empty for a draft.
   * Premiums have no single record. `recordedBy` is null for readers who may not see the record.
   */
  coverChanges: z.array(
    z.object({
      fact: z.string(),
      submitted: z.string(),
      now: z.string(),
      recordedBy: z.string().nullable(),
      recordedAt: instant.nullable(),
    }),
  ),
  /** Without drafts, newest incident first, at most 50. */
  otherClaims: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      status,
      claimType: z.enum(claimTypes),
      benefit: z.string().nullable(),
      /** The insured person's name. */
      person: z.string(),
      incidentOn: day,
      /** The approved amount; before approval, the amount from which the next approver starts. */
      amountCents: cents,
      /** Whether this other claim reduces the claim's cover. */
      counts: z.boolean(),
    }),
  ),
  coverPercentage: z.int().nullable(),
  coverCheck: z.array(
    z.object({
      check: z.enum(coverChecks),
      title: z.string(),
      /** `open`: a premium that is not yet due or is in grace. */
      result: z.enum(coverResults),
      label: z.string(),
      evidence: z.string(),
    }),
  ),
  /** Points to look at before deciding; a sentence ends with the numbers of `claims`, if any. */
  warnings: z.array(
    z.object({ sentence: z.string(), claims: z.array(z.object({ id: z.uuid(), number: z.string() })) }),
  ),
  documents: z.array(document),
  approvals: z.array(approval),
  /** Oldest first. */
  sentBack: z.array(sendingBack),
  /** Oldest first. */
  reopenings: z.array(reopening),
  /** Names of deciders per stage, while stages are open; otherwise empty, and also for a draft. */
  deciders: z.object({
    group_admin: z.array(z.string()),
    underwriter: z.array(z.string()),
    policy_holder: z.array(z.string()),
  }),
  timeline: timelinePage,
  createdAt: instant,
  updatedAt: instant,
  allowedActions: z.array(z.enum(claimActions)),
})
export type ClaimDetail = z.infer<typeof claimDetail>

export const account = { userId: z.uuid(), name: z.string() }

export const standIn = z.object({
  id: z.uuid(),
  person: z.object(account),
  standIn: z.object(account),
  fromOn: day,
  untilOn: day,
  namedBy: z.string(),
  mayEnd: z.boolean(),
})
export type StandIn = z.infer<typeof standIn>

export const payableClaim = z.object({
  id: z.uuid(),
  number: z.string(),
  memberName: z.string(),
  policyNumber: z.string(),
  groupName: z.string(),
  approvedCents: cents,
  /** The amount still to be paid. */
  openCents: cents,
  policyId: z.uuid(),
  memberId: z.uuid(),
  approvedAt: instant.nullable(),
  /** Whether payees are recorded; then each gets a payment of their part. */
  hasPayees: z.boolean(),
  /** Whether it is a death claim that cannot be paid before its payees are recorded. */
  needsPayees: z.boolean(),
})
export type PayableClaim = z.infer<typeof payableClaim>
