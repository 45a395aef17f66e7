import { roundCause } from "@milkwood/domain/claims/claim-lifecycle"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { InstantText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import classes from "./claims.module.css"

export function SentBackNotice({ claim, mb }: { claim: ClaimDetail; mb?: "sm" }) {
  const reopened = claim.reopenings.find(({ round }) => round === claim.round)
  if (roundCause(claim, reopened?.kind ?? null) !== "sent_back") return null
  return (
    <InlineError tone="warning" mb={mb}>
      <SentBackRound claim={claim} round={claim.round - 1} />
    </InlineError>
  )
}

export function SentBackRound({ claim, round }: { claim: ClaimDetail; round: number }) {
  const sent = claim.sentBack.find((each) => each.round === round)
  if (!sent) return null
  return (
    <>
      Sent back by {sent.by} on <InstantText at={sent.at} />
      {sent.reason === null ? "." : <span className={classes.reason}>: {sent.reason}</span>}
    </>
  )
}
