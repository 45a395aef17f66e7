import type { Cents } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { type Claim, type ClaimStatus, claimTabs, contentOf } from "./claim.ts"

/**
 * The reserve of a claim is the amount it is expected to pay. From submission until the decision it is the proposed amount, or
 * the amount that a manager sets with a reason. A decided or withdrawn claim has none.
 */
export const reserveCauses = [
  "submitted",
  "changed",
  "set",
  "cleared",
  "approved",
  "approval_withdrawn",
  "rejected",
  "withdrawn",
  "reopened",
  "taken_on",
] as const
export type ReserveCause = (typeof reserveCauses)[number]

export const reserveCauseNames: Record<ReserveCause, string> = {
  submitted: "Claim submitted",
  changed: "Claim changed",
  set: "Set by a manager",
  cleared: "Returned to the proposed amount",
  approved: "Claim approved",
  approval_withdrawn: "Approval withdrawn",
  rejected: "Claim rejected",
  withdrawn: "Claim withdrawn",
  reopened: "Claim reopened",
  taken_on: "Open claim taken on",
}

export const hasReserve = (status: ClaimStatus): boolean =>
  (claimTabs.pending as readonly ClaimStatus[]).includes(status)

/** The last movement of a claim's reserve. */
export interface Reserve {
  seq: number
  /** The policy that the ledger carries the reserve on. */
  policyId: string
  cause: ReserveCause
  changeCents: Cents
  reserveCents: Cents
  /** The manager's amount; null while the reserve follows the proposed amount. */
  setCents: Cents | null
}

export interface ReserveMovement extends Reserve {
  reason: string
}

const causeOfOpening: Partial<Record<ClaimStatus, ReserveCause>> = {
  draft: "submitted",
  approved: "approval_withdrawn",
  rejected: "reopened",
}

const causeOfRelease: Partial<Record<ClaimStatus, ReserveCause>> = {
  approved: "approved",
  rejected: "rejected",
  withdrawn: "withdrawn",
}

/** Whether a movement ends the reserve: the claim was decided or withdrawn. */
export const releasesReserve = (cause: ReserveCause): boolean => Object.values(causeOfRelease).includes(cause)

/** Why saving a claim moves its reserve; null if it does not. */
export function reserveCause(before: Claim, after: Claim): ReserveCause | null {
  const [had, has] = [hasReserve(before.status), hasReserve(after.status)]
  if (!had && has) return causeOfOpening[before.status] ?? null
  if (had && !has) return causeOfRelease[after.status] ?? null
  if (!had) return null
  const isJudgedAnew =
    before.policyId !== after.policyId ||
    before.coverAcceptedAt !== after.coverAcceptedAt ||
    JSON.stringify(contentOf(before)) !== JSON.stringify(contentOf(after))
  return isJudgedAnew ? "changed" : null
}

/**
 * The movements that follow the last one (null for none), in cents. `proposedCents` is what the cover pays of the claim
 * now. A withdrawn approval restores the reserve that it released, which is then adjusted. A claim that moves to another
 * policy releases its reserve there. `set` is the manager's amount, or null to follow the proposed amount.
 */
export function reserveMovements(
  last: Reserve | null,
  cause: ReserveCause,
  {
    policyId,
    proposedCents,
    set,
  }: { policyId: string; proposedCents: Cents; set?: { cents: Cents | null; reason: string } },
): ReserveMovement[] {
  const movements: ReserveMovement[] = []
  let current = last ?? { seq: 0, policyId, cause, changeCents: 0, reserveCents: 0, setCents: null }
  const move = (to: Omit<ReserveMovement, "seq" | "changeCents">) => {
    const moved = { ...to, seq: current.seq + 1, changeCents: to.reserveCents - current.reserveCents }
    movements.push(moved)
    current = moved
  }
  const head = { policyId, reason: "" }
  if (!releasesReserve(cause)) {
    if (current.policyId !== policyId && current.reserveCents !== 0) {
      move({ ...head, policyId: current.policyId, cause, reserveCents: 0, setCents: current.setCents })
    }
    if (cause === "approval_withdrawn" && last?.cause === "approved") {
      move({ ...head, cause, reserveCents: -last.changeCents, setCents: last.setCents })
    }
    const setCents = set ? set.cents : current.setCents
    const reserveCents = setCents ?? proposedCents
    const isNews = set !== undefined || last === null || reserveCents !== current.reserveCents
    const next = cause === "approval_withdrawn" ? "changed" : cause
    if (isNews) move({ ...head, cause: next, reserveCents, setCents, reason: set?.reason ?? "" })
    return movements
  }
  // A withdrawn approval restores the manager's amount; an appeal starts from the proposed amount.
  const setCents = cause === "approved" ? current.setCents : null
  if (current.reserveCents !== 0 || current.setCents !== setCents)
    move({ ...head, policyId: current.policyId, cause, reserveCents: 0, setCents })
  return movements
}

/**
 * Sets a manager's amount in cents, or returns to the proposed amount (null). WRONG_STATUS before submission and after
 * the decision; INVALID without a reason, or if nothing changes.
 */
export function setReserve(
  status: ClaimStatus,
  { reserveCents, setCents, proposedCents }: Pick<Reserve, "reserveCents" | "setCents"> & { proposedCents: Cents },
  { amountCents, reason }: { amountCents: Cents | null; reason: string },
): Decision<{ cause: ReserveCause; set: { cents: Cents | null; reason: string } }, "WRONG_STATUS" | "INVALID"> {
  if (!hasReserve(status))
    return refuse("WRONG_STATUS", "Only a claim that is submitted and not decided has a reserve.")
  const why = reason.trim()
  if (!why) return invalid("reason", "Enter a reason.")
  const isSame = amountCents === setCents && reserveCents === (amountCents ?? proposedCents)
  if (isSame) return invalid("amountCents", "This is the reserve already.")
  return { cause: amountCents === null ? "cleared" : "set", set: { cents: amountCents, reason: why } }
}

const invalid = (path: string, message: string) => refuse("INVALID", message, { fields: [{ path, message }] })
