import { claimFactHead } from "@milkwood/domain/claims/claim-facts"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { setReserve } from "@milkwood/domain/claims/reserve"
import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { loadClaimCover } from "./claim-cover.queries.ts"
import { lockClaim } from "./claim-record.ts"
import { claimReserve } from "./claim-reserve.queries.ts"
import { loadReserve, moveReserve } from "./reserves.ts"

export const setClaimReserve = command(claimsContract.reserve.set, async (cx) => {
  const { claimId, version } = cx.input
  const claim = await lockClaim(cx, claimId)
  const last = await loadReserve(cx.tx, claimId)
  expectVersion({ version: last?.seq ?? 0 }, version)
  const { proposedAmountCents: proposedCents } = await loadClaimCover(cx, claimId)
  const { reserveCents, setCents } = last ?? { reserveCents: 0, setCents: null }
  const { cause, set } = orRefuse(setReserve(claim.status, { reserveCents, setCents, proposedCents }, cx.input))
  await moveReserve(cx, claim, cause, { proposedCents, set })
  const reserveText = (amount: Cents | null) => (amount === null ? "Proposed amount" : formatMoney(amount, cx.currency))
  await record(cx, [
    {
      type: "ClaimReserveSet",
      ...claimFactHead(claim),
      before: { reserve: reserveText(setCents) },
      after: { reserve: reserveText(set.cents), reserveReason: set.reason },
    },
  ])
  return claimReserve(cx, claim, proposedCents)
})
