import {
  type ApprovalWorking,
  type ClaimStatus,
  type ClaimType,
  claimTabs,
  claimTypeNames,
  type DocumentType,
  documentTypeNames,
} from "@milkwood/domain/claims/claim"
import { claimsSettings, promisedDaysOf } from "@milkwood/domain/claims/claims-settings"
import { type Day, formatDay, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { approvalRows } from "@milkwood/domain/letters/approval-rows"
import { letterKindNames } from "@milkwood/domain/letters/letter"
import { lettersSettings } from "@milkwood/domain/letters/letters-settings"
import { type PayoutMethod, payoutMethodNames } from "@milkwood/domain/payouts/payout"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { loadChecklist } from "../claims/claim-checklist.queries.ts"
import { dependentName } from "../members/cover.queries.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { addressLines, type LetterContent, type LetterSource, letterChoiceOf } from "./letter-source.ts"

interface ClaimFacts {
  id: string
  number: string
  groupId: string
  memberId: string
  status: ClaimStatus
  claimType: ClaimType
  benefitId: string | null
  dependentId: string | null
  incidentOn: Day
  submittedAt: string
  finalApprovalAt: string | null
  rejectedAt: string | null
  rejectionReason: string | null
  requestedAmountCents: Cents
  approvedAmountCents: Cents | null
  promisedDays: number | null
  requestedDocuments: DocumentType[]
  member: string
  address: string
  email: string
  insuredPerson: string
  benefit: string
  policy: string
  group: string
  working: ApprovalWorking | null
  reductions: string[]
  payments: ClaimPayment[]
}

interface ClaimPayment {
  id: string
  number: string
  amountCents: Cents
  method: PayoutMethod
  reference: string
  completedOn: Day
  payeeName: string
  payeeBank: string
  payeeAccountNumber: string
  payeeEmail: string
}

/** Letters about a claim; none can be written about a draft. */
export async function loadClaimLetters(cx: Cx, claimId: string): Promise<LetterSource> {
  const claim = await cx.tx.row<ClaimFacts>(sql`
    select c.id, c.number, c.group_id as "groupId", c.member_id as "memberId", c.status, c.claim_type as "claimType",
      c.benefit_id as "benefitId", c.dependent_id as "dependentId", c.incident_on as "incidentOn",
      c.submitted_at as "submittedAt", c.final_approval_at as "finalApprovalAt", c.rejected_at as "rejectedAt",
      c.rejection_reason as "rejectionReason", c.requested_amount_cents as "requestedAmountCents",
      c.approved_amount_cents as "approvedAmountCents", c.promised_days as "promisedDays",
      c.requested_documents as "requestedDocuments", m.first_name || ' ' || m.last_name as member, m.address, m.email,
      coalesce((select ${dependentName} from dependents d where d.id = c.dependent_id),
        m.first_name || ' ' || m.last_name) as "insuredPerson",
      coalesce(b.name, '') as benefit, p.number as policy, g.name as "group", (
        select a.working from claim_approvals a
        where a.claim_id = c.id and a.round = c.round and a.stage = 'policy_holder') as working,
      array(select a.reduction_reason from claim_approvals a
        where a.claim_id = c.id and a.round = c.round and a.reduction_reason is not null order by a.decided_at) as reductions, (
        select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number, 'amountCents', o.amount_cents,
          'method', o.method, 'reference', o.reference, 'completedOn', o.completed_on, 'payeeName', o.payee_name,
          'payeeBank', o.payee_bank, 'payeeAccountNumber', o.payee_account_number, 'payeeEmail', o.payee_email)
          order by o.number), '[]')
        from payouts o where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed') as payments
    from claims c
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    left join benefits b on b.id = c.benefit_id
    where c.id = ${claimId}`)
  if (!claim) throw refused("NOT_FOUND")
  const missing = isUndecided(claim) ? await loadMissingDocuments(cx, claim) : []
  return {
    record: { kind: "claim", id: claim.id, label: claim.number },
    groupId: claim.groupId,
    memberId: claim.memberId,
    choices: choicesOf(claim, missing, cx),
    contentOf: async ({ kind, payoutId }) => {
      const settings = await readSettings(cx.tx, { ...platformSettings, ...claimsSettings, ...lettersSettings })
      const money = (cents: Cents) => formatMoney(cents, cx.currency)
      const day = (on: Day) => formatDay(on, settings.dateFormat)
      const dayOf = (at: string | null) => (at ? day(todayInTimezone(Temporal.Instant.from(at), cx.timezone)) : "")
      const isDeath = claim.claimType === "death"
      const isMemberDead = isDeath && claim.dependentId === null
      const promised = claim.promisedDays ?? promisedDaysOf(settings)[claim.claimType]
      const content: LetterContent = {
        addressee: addressLines(isMemberDead ? `The family of ${claim.member}` : claim.member, claim.address),
        email: isMemberDead ? "" : claim.email,
        values: {
          ...{ member: claim.member, insuredPerson: claim.insuredPerson, policy: claim.policy, group: claim.group },
          benefit: claim.benefit || claimTypeNames[claim.claimType],
          incidentOn: day(claim.incidentOn),
          receivedOn: dayOf(claim.submittedAt),
          condolence: isDeath ? `Please accept our condolences on the death of ${claim.insuredPerson}.` : "",
          promisedDays: promised === 1 ? "1 working day" : `${promised} working days`,
          documents: missing.map((document) => `- ${document}`).join("\n"),
          amount: money(claim.approvedAmountCents ?? 0),
          approvedOn: dayOf(claim.finalApprovalAt),
          working: approvalRows(claim.requestedAmountCents, claim.approvedAmountCents ?? 0, claim.working, cx.currency),
          reduction: claim.reductions.map((reason) => `Reason for the reduction: ${reason}`).join("\n"),
          rejectedOn: dayOf(claim.rejectedAt),
          reason: claim.rejectionReason ?? "",
          objectionDays: String(settings.objectionDays),
          answerDays: String(settings.objectionAnswerDays),
          legalMonths: String(settings.legalActionMonths),
          ombud: settings.ombudContact,
        },
      }
      const payment = kind === "payment_advice" ? claim.payments.find(({ id }) => id === payoutId) : undefined
      if (!payment) return content
      const { payeeName, payeeBank, payeeAccountNumber } = payment
      return {
        addressee: addressLines(payeeName, ""),
        email: payment.payeeEmail,
        values: {
          ...content.values,
          amount: money(payment.amountCents),
          payment: [
            { label: "Payment number", value: payment.number, isTotal: false },
            { label: "Paid to", value: payeeName, isTotal: false },
            { label: "Method", value: payoutMethodNames[payment.method], isTotal: false },
            ...(payeeAccountNumber
              ? [{ label: "Account", value: `${payeeBank}, ending in ${payeeAccountNumber.slice(-3)}`, isTotal: false }]
              : []),
            ...(payment.reference ? [{ label: "Reference", value: payment.reference, isTotal: false }] : []),
            { label: "Paid on", value: day(payment.completedOn), isTotal: false },
            { label: "Amount paid", value: money(payment.amountCents), isTotal: true },
          ],
        },
      }
    },
  }
}

const isUndecided = ({ status }: Pick<ClaimFacts, "status">): boolean =>
  (claimTabs.pending as readonly ClaimStatus[]).includes(status)

/** Requested documents that are not there yet, and those that the settings require. */
async function loadMissingDocuments({ tx }: Cx, claim: ClaimFacts): Promise<string[]> {
  const lines = await loadChecklist(tx, claim)
  const required = lines.filter(({ state }) => state === "missing").map(({ documents }) => documents)
  const asked = claim.requestedDocuments.filter((type) => !required.some((documents) => documents.includes(type)))
  return [...asked.map((type) => [type]), ...required].map((documents) =>
    documents.map((type) => documentTypeNames[type]).join(" or "),
  )
}

function choicesOf(claim: ClaimFacts, missing: readonly string[], { currency }: Pick<Cx, "currency">) {
  const { status } = claim
  const undecided = isUndecided(claim)
  const kinds = [
    ...(undecided ? (["claim_received"] as const) : []),
    ...(undecided && missing.length > 0 ? (["claim_documents"] as const) : []),
    ...(status === "approved" || status === "paid" ? (["claim_approved"] as const) : []),
    ...(status === "rejected" ? (["claim_rejected"] as const) : []),
  ]
  return [
    ...kinds.map((kind) => letterChoiceOf(kind, letterKindNames[kind])),
    ...claim.payments.map(({ id, payeeName, amountCents }) =>
      letterChoiceOf(
        "payment_advice",
        `${letterKindNames.payment_advice}: ${formatMoney(amountCents, currency)} to ${payeeName}`,
        id,
      ),
    ),
  ]
}
