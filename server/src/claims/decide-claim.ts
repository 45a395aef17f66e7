import type { Claim } from "@milkwood/domain/claims/claim"
import { decide } from "@milkwood/domain/claims/claim-approval"
import { type ClaimDuties, pendingStep, stageOf } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { standInRole } from "@milkwood/domain/claims/stand-in"
import { claimApproved } from "@milkwood/domain/ledger/posting-rules"
import type { RuleActor } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorSeesGroup, ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimCover } from "./claim-cover.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { holdCover } from "./other-claims.queries.ts"
import { standsInFor } from "./stand-ins.queries.ts"

/**
 * Runs as staff, because the last approval posts to the ledger; `lockClaim` keeps the actor to their groups. Fifty who
 * decide one claim at the same moment are an ordinary Monday: who is too late is told so by one look.
 */
export const decideClaim = command(
  claimsContract.decide,
  async (cx) => {
    const actor = ruleActor(cx.actor)
    const { claimId, version } = cx.input
    if (cx.input.decision === "approve") await holdCover(cx.tx, claimId)
    // The claim is locked for as long as the writing takes: other records are read before it, for this version.
    const cover = await claimCover(cx, claimId)
    const locked = await lockClaim(cx, claimId)
    const place = await cx.tx.row<Pick<ClaimDuties, "standsInFor">>(
      sql`select ${standsInFor(actor, cx.today)} as "standsInFor" from claims c where c.id = ${claimId}`,
    )
    const claim = { ...locked, ...place }
    checkTurn(claim, actor, version)
    const decided = orRefuse(decide(claim, cx.input, actor, cover, cx.now, cx.currency))
    await saveClaim(cx, claim, decided)
    if (decided.value.status === "approved") {
      const { number, policyId, groupId, approvedAmountCents } = decided.value
      const policy = { policyId, groupId }
      await post(cx, claimApproved({ on: cx.today, policy, claimId, number, amountCents: approvedAmountCents ?? 0 }))
    }
    return claimDetail(cx, claimId, cover)
  },
  {
    as: "staff",
    crowded: {
      record: ({ claimId }) => claimId,
      look: (tx, { claimId }) =>
        tx.preparedRow<ClaimGlance>(sql`
          select status, version, group_id as "groupId", captured_by as "capturedBy", submitted_by as "submittedBy",
            array(select decided_by from claim_approvals where claim_id = claims.id) as "decidedBy"
          from claims where id = ${claimId}`),
      check(claim, { actor: who, input: { version } }) {
        if (!claim || !actorSeesGroup(who, claim.groupId)) throw refused("NOT_FOUND")
        const actor = ruleActor(who)
        // Who has decided may ask again, and is answered as before; whether it was another stage is told by the rule.
        if (claim.decidedBy.includes(actor.userId)) return
        // Whether somebody stands in for another is told by the rule, too.
        const stage = stageOf(claim.status)
        if (stage && actor.role !== stage && actor.role === standInRole[stage]) return
        checkTurn({ ...claim, paymentStarted: false, approvals: [] }, actor, version)
      },
    },
  },
)

type ClaimGlance = Pick<Claim, "status" | "version" | "groupId" | "capturedBy" | "submittedBy"> & {
  decidedBy: (string | null)[]
}

function checkTurn(claim: ClaimDuties & { version: number }, actor: RuleActor, version: number): void {
  // Before the version: whoever was slower than another decider reads that nothing waits for them any more.
  orRefuse(pendingStep(claim, actor))
  expectVersion(claim, version)
}
