import { decide } from "@milkwood/domain/claims/claim-approval"
import { pendingStep } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimApproved } from "@milkwood/domain/ledger/posting-rules"
import { post } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { coverLines, maxCoverOf } from "./claim-cover.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

/** Runs as staff, because the last approval posts to the ledger; `lockClaim` keeps the actor to their groups. */
export const decideClaim = command(
  claimsContract.decide,
  async (cx) => {
    const actor = ruleActor(cx.actor)
    const claim = await lockClaim(cx, cx.input.claimId)
    // Before the version: whoever was slower than another decider reads that nothing waits for them any more.
    orRefuse(pendingStep(claim, actor))
    expectVersion(claim, cx.input.version)
    const max = await maxCoverOf(cx.tx, claim.id)
    const coverCheck = await coverLines(cx.tx, claim.id, max, cx.today)
    const decided = orRefuse(decide(claim, cx.input, actor, { ...max, coverCheck }, cx.now))
    await saveClaim(cx, claim, decided.claim)
    if (decided.claim.status === "approved") {
      const { id: claimId, number, policyId, groupId, approvedAmountCents } = decided.claim
      const policy = { policyId, groupId }
      await post(cx, claimApproved({ on: cx.today, policy, claimId, number, amountCents: approvedAmountCents ?? 0 }))
    }
    await record(cx, decided.facts)
    return claimDetail(cx, claim.id)
  },
  { as: "staff" },
)
