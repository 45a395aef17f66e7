import type { Claim } from "@milkwood/domain/claims/claim"
import { decide } from "@milkwood/domain/claims/claim-approval"
import { pendingStep } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimApproved } from "@milkwood/domain/ledger/posting-rules"
import { post } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { coverLines, maxCoverOf } from "./claim-cover.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, readClaim, saveClaim } from "./claim-record.ts"

/** Runs as staff, because the last approval posts to the ledger; `lockClaim` keeps the actor to their groups. */
export const decideClaim = command(
  claimsContract.decide,
  async (cx) => {
    const actor = ruleActor(cx.actor)
    const { claimId, version } = cx.input
    const check = (claim: Claim) => {
      // Before the version: whoever was slower than another decider reads that nothing waits for them any more.
      orRefuse(pendingStep(claim, actor))
      expectVersion(claim, version)
    }
    // The lock is held for as long as the writing takes: what is read of others comes before it, for this version.
    check(await readClaim(cx, claimId))
    const max = await maxCoverOf(cx.tx, claimId)
    const coverCheck = await coverLines(cx.tx, claimId, max, cx.today)
    const claim = await lockClaim(cx, claimId)
    check(claim)
    const decided = orRefuse(decide(claim, cx.input, actor, { ...max, coverCheck }, cx.now))
    await saveClaim(cx, claim, decided)
    if (decided.value.status === "approved") {
      const { number, policyId, groupId, approvedAmountCents } = decided.value
      const policy = { policyId, groupId }
      await post(cx, claimApproved({ on: cx.today, policy, claimId, number, amountCents: approvedAmountCents ?? 0 }))
    }
    return claimDetail(cx, claimId)
  },
  { as: "staff" },
)
