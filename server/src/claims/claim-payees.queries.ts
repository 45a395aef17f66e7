import type { ClaimStatus, ClaimType } from "@milkwood/domain/claims/claim"
import {
  isMinorOn,
  isOnlyPossiblePayee,
  isOwnDeath,
  type PayeeAccount,
  type PayeeBasis,
  type PayeeSet,
  type PayeeSubject,
  payeeAmounts,
  payeesText,
  payeeWarnings,
  paymentsToPrepare,
  proposePayees,
  refuseNewPayees,
} from "@milkwood/domain/claims/claim-payees"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import type { ClaimPayees, RecordedPayee } from "@milkwood/domain/claims/payees.contract"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { birthYearOf } from "@milkwood/domain/members/member"
import { nominationOn } from "@milkwood/domain/members/nomination"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { loadNominations, type StoredNomination } from "../members/nominations.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { loadPayeeEvidence } from "./payee-evidence.queries.ts"

export interface PayableClaimRecord {
  id: string
  groupId: string
  policyId: string
  memberId: string
  dependentId: string | null
  number: string
  status: ClaimStatus
  claimType: ClaimType | null
  incidentOn: Day
  approvedAmountCents: Cents | null
  memberName: string
  owningFund: string
}

export type StoredPayee = Omit<RecordedPayee, "isMinor" | "amountCents" | "hasPayment"> & { preparedBy: string[] }

export interface StoredPayeeSet {
  id: string
  claimId: string
  basis: PayeeBasis
  reason: string
  recordedBy: string
  recordedAt: string
  supersededAt: string | null
  payees: StoredPayee[]
}

/** Without drafts, in order of id. */
export const loadClaimsToPay = (tx: Tx, claimIds: readonly string[]): Promise<PayableClaimRecord[]> =>
  tx.rows<PayableClaimRecord>(sql`
    select c.id, c.group_id as "groupId", c.policy_id as "policyId", c.member_id as "memberId", c.dependent_id as "dependentId",
      c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
      c.approved_amount_cents as "approvedAmountCents", m.first_name || ' ' || m.last_name as "memberName",
      terms.owning_fund as "owningFund"
    from claims c join members m on m.id = c.member_id
    cross join lateral policy_terms_on(c.policy_id, c.incident_on) terms
    where c.id = any (${sql.param([...claimIds])}::uuid[]) and c.status <> 'draft' order by c.id`)

/** Newest first; the current set is not superseded. */
export const loadPayeeSets = (tx: Tx, claimIds: readonly string[], onlyCurrent = false): Promise<StoredPayeeSet[]> =>
  tx.rows<StoredPayeeSet>(sql`
    select s.id, s.claim_id as "claimId", s.basis, s.reason, s.recorded_at as "recordedAt", s.superseded_at as "supersededAt",
      coalesce((select name from users where id = s.recorded_by), '') as "recordedBy",
      (select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'relationship', p.relationship, 'idNumber', p.id_number,
          'dateOfBirth', p.date_of_birth, 'shareBasisPoints', p.share_basis_points, 'receivedBy', p.received_by,
          'receiverName', p.receiver_name, 'bank', p.bank, 'branchCode', p.branch_code, 'accountNumber', p.account_number,
          'email', p.email, 'version', p.version, 'preparedBy', p.prepared_by) order by p.position)
        from claim_payees p where p.set_id = s.id) as payees
    from claim_payee_sets s
    where s.claim_id = any (${sql.param([...claimIds])}::uuid[]) and ${onlyCurrent ? sql`s.superseded_at is null` : sql`true`}
    order by s.recorded_at desc, s.id`)

/** Payees with a payment that is prepared, in progress or completed. */
export async function loadPaidPayees(tx: Tx, claimIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`
    select payee_id as id from payouts where subject_kind = 'claim' and subject_id = any (${sql.param([...claimIds])}::uuid[])
      and payee_id is not null and status in ('pending', 'processing', 'failed', 'completed')`)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a payment counts, or was released before: then the payees keep their shares. */
export async function hasPaymentsOf(tx: Tx, claimId: string, exceptId: string | null = null): Promise<boolean> {
  const found = await tx.row<{ hasPayments: boolean }>(
    sql`select claim_has_payments(${claimId}::uuid, ${exceptId}::uuid) as "hasPayments"`,
  )
  return found!.hasPayments
}

interface ClaimNominations {
  subject: PayeeSubject
  nomination: StoredNomination | null
  knownNomination: StoredNomination | null
  /** The first moment after the incident day. */
  incidentOver: Temporal.Instant
}

export async function loadPayeeSubject(
  { tx, timezone }: Pick<Cx, "tx" | "timezone">,
  claim: PayableClaimRecord,
): Promise<ClaimNominations> {
  const { incidentOn, memberName, memberId, owningFund } = claim
  const own = isOwnDeath(claim)
  const nominations = own ? await loadNominations(tx, memberId) : []
  const incidentOver = Temporal.PlainDate.from(addDays(incidentOn, 1)).toZonedDateTime(timezone).toInstant()
  const nomination = nominationOn(nominations, incidentOn)
  const nominees =
    nomination && nomination.nominees.length > 0 ? nomination.nominees.map(({ id: _, ...one }) => one) : null
  return {
    subject: { isOwnDeath: own, incidentOn, memberName, nominees, owningFund },
    nomination,
    knownNomination: nominationOn(nominations, incidentOn, incidentOver),
    incidentOver,
  }
}

/** NOT_FOUND for a draft. */
export async function loadClaimToPay(tx: Tx, claimId: string): Promise<PayableClaimRecord> {
  const [claim] = await loadClaimsToPay(tx, [claimId])
  if (!claim) throw refused("NOT_FOUND")
  return claim
}

export async function claimPayees(cx: Cx, claimId: string): Promise<ClaimPayees> {
  const { tx } = cx
  const claim = await loadClaimToPay(tx, claimId)
  const { subject, nomination, knownNomination, incidentOver } = await loadPayeeSubject(cx, claim)
  const sets = await loadPayeeSets(tx, [claimId])
  const current = sets.find(({ supersededAt }) => supersededAt === null) ?? null
  const paid = await loadPaidPayees(tx, [claimId])
  const payments = await loadPayments(tx, claimId)
  const proposal = await proposeWithAccount(tx, claim, subject)
  const amounts = payeeAmounts(claim.approvedAmountCents, current?.payees ?? [])
  const isRecordedLater =
    nomination !== null && Temporal.Instant.compare(Temporal.Instant.from(nomination.recordedAt), incidentOver) > 0
  const isChangedSince = knownNomination !== null && knownNomination.id !== nomination?.id
  return {
    claimId,
    isOwnDeath: subject.isOwnDeath,
    owningFund: subject.owningFund,
    nomination: shown(nomination),
    knownNomination: isChangedSince ? shown(knownNomination) : null,
    isChangedSince,
    current: current && {
      ...current,
      payees: current.payees.map(({ preparedBy: _, ...payee }, at) => ({
        ...payee,
        isMinor: isMinorOn(payee.dateOfBirth, claim.incidentOn),
        amountCents: amounts[at]!,
        hasPayment: paid.has(payee.id),
      })),
    },
    earlier: sets
      .filter(({ supersededAt }) => supersededAt !== null)
      .map(({ id, payees, recordedBy, recordedAt, reason }) => ({
        ...{ id, recordedBy, recordedAt, reason },
        summary: payeesText(payees),
      })),
    proposal: { ...proposal, payees: [...proposal.payees] },
    payments,
    warnings: payeeWarnings({
      isRecordedLater,
      isChangedSince,
      ...(await loadPayeeEvidence(cx, claim, current?.payees ?? [])),
    }),
    allowedActions: await allowedPayeeActions(cx, claim, current, paid),
  }
}

/** A namesake of the member is another payee, so that their account is not proposed. */
async function proposeWithAccount(
  tx: Tx,
  { groupId, memberId }: PayableClaimRecord,
  subject: PayeeSubject,
): Promise<PayeeSet> {
  const proposal = proposePayees(subject)
  if (!isOnlyPossiblePayee(proposal)) return proposal
  const last = await tx.row<PayeeAccount>(sql`
    select payee_bank as bank, payee_branch_code as "branchCode", payee_account_number as "accountNumber", payee_email as email
    from payouts
    where group_id = ${groupId} and payee_key(payee_name) = payee_key(${proposal.payees[0]!.name})
      and payee_account_number <> '' and released_at is not null and status = 'completed'
      and ${proposal.basis === "member" ? sql`member_id = ${memberId}` : sql`true`}
    order by released_at desc limit 1`)
  return proposePayees(subject, last ?? null)
}

const shown = (nomination: StoredNomination | null): ClaimPayees["nomination"] =>
  nomination && {
    ...nomination,
    nominees: nomination.nominees.map((nominee) => ({ ...nominee, birthYear: birthYearOf(nominee.dateOfBirth) })),
  }

async function allowedPayeeActions(
  { tx, actor }: Cx,
  claim: PayableClaimRecord,
  current: StoredPayeeSet | null,
  paid: ReadonlySet<string>,
): Promise<ClaimPayees["allowedActions"]> {
  const { role } = ruleActor(actor)
  const isOpen = refuseNewPayees(claim, false) === null
  const mayRecord = hasPermission(role, "claims.payees")
  const actions: ClaimPayees["allowedActions"] = []
  if (mayRecord && isOpen && !(await hasPaymentsOf(tx, claim.id))) actions.push("record")
  if (mayRecord && isOpen && current?.payees.some(({ id }) => !paid.has(id))) actions.push("change")
  const { payments } = paymentsToPrepare(claim, current?.payees ?? null, paid, "cash")
  if (hasPermission(role, "payouts.write") && payments.length > 0) actions.push("pay")
  return actions
}

const loadPayments = (tx: Tx, claimId: string): Promise<ClaimPayees["payments"]> =>
  tx.rows<ClaimPayees["payments"][number]>(sql`
    select id, number, payee_id as "payeeId", payee_name as "payeeName", amount_cents as "amountCents", status,
      completed_on as "completedOn", returned_on as "returnedOn"
    from payouts where subject_kind = 'claim' and subject_id = ${claimId} order by created_at, number`)

export const readClaimPayees = query(claimsContract.payees.detail, (cx) => claimPayees(cx, cx.input.claimId))
