import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { DayText, InstantText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./claims.module.css"

type Reopening = ClaimDetail["reopenings"][number]

/** The end of a rejected or withdrawn claim. */
export function OutcomeNotice({ claim }: { claim: ClaimDetail }) {
  if (claim.status === "rejected") {
    return (
      <InlineError>
        This claim was rejected
        <ReasonText reason={claim.rejectionReason} />
        {claim.appealUntil && (
          <div>
            May be appealed until <DayText day={claim.appealUntil} />.
          </div>
        )}
      </InlineError>
    )
  }
  if (claim.status !== "withdrawn") return null
  return (
    <InlineError tone="warning">
      Withdrawn by {claim.withdrawnBy} on <InstantText at={claim.withdrawnAt} />
      <ReasonText reason={claim.withdrawalReason} />
    </InlineError>
  )
}

/** Shown until the claim is decided again, so that the new deciders know the former decision. */
export function ReopenedNotice({ claim }: { claim: ClaimDetail }) {
  const last = claim.reopenings.at(-1)
  if (!last || ["approved", "rejected", "paid", "withdrawn"].includes(claim.status)) return null
  return (
    <InlineError tone="warning">
      <ReopeningText reopening={last} isRejectionShown />
      {claim.answerDueBy && (
        <div>
          Answer due by <DayText day={claim.answerDueBy} />.
        </div>
      )}
    </InlineError>
  )
}

/** The reopening after this round. A rejection at a stage is shown there. */
export function ReopenedRound({ claim, round }: { claim: ClaimDetail; round: number }) {
  const next = claim.reopenings.find((one) => one.round === round + 1)
  const isShownAtStage = claim.approvals.some((one) => one.round === round && one.status === "rejected")
  return next ? <ReopeningText reopening={next} isRejectionShown={!isShownAtStage} /> : null
}

function ReopeningText(props: { reopening: Reopening; isRejectionShown: boolean }) {
  const { reopening, isRejectionShown } = props
  const { kind, by, at, reason, receivedOn, isLate, decidedAt, rejectionReason, approvedAmountCents } = reopening
  if (kind === "approval_withdrawn") {
    return (
      <>
        The approval of <MoneyText cents={approvedAmountCents} /> on <InstantText at={decidedAt} /> was withdrawn by{" "}
        {by} on <InstantText at={at} />
        <ReasonText reason={reason} />
      </>
    )
  }
  return (
    <>
      {isRejectionShown && (
        <div>
          Rejected on <InstantText at={decidedAt} />
          <ReasonText reason={rejectionReason} />
        </div>
      )}
      Appeal received on <DayText day={receivedOn} />
      {isLate && ", after the time limit"}. Reopened by {by} on <InstantText at={at} />
      <ReasonText reason={reason} />
    </>
  )
}

const ReasonText = ({ reason }: { reason: string | null }) =>
  reason === null ? "." : <span className={classes.reason}>: {reason}</span>
