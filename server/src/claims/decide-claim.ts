import { decide } from "@milkwood/domain/claims/claim-approval"
import { pendingStep } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadClaimCover } from "./claim-cover.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { lockCover } from "./other-claims.queries.ts"
import { refuseOwnBenefit } from "./payee-conflict.ts"
import { readStandIn } from "./stand-ins.queries.ts"

/** Runs as staff, because the last approval posts to the ledger; `lockClaim` limits the actor to their groups. */
export const decideClaim = command(
  claimsContract.decide,
  async (cx) => {
    const { claimId, version, decision } = cx.input
    const actor = ruleActor(cx.actor)
    const claim = { ...(await lockClaim(cx, claimId)), ...(await readStandIn(cx.tx, claimId, actor, cx.today)) }
    // Checked before the version, so that the slower of two deciders reads that no step is pending.
    orRefuse(pendingStep(claim, actor))
    expectVersion(claim, version)
    await refuseOwnBenefit(cx, claimId)
    if (decision === "approve") await lockCover(cx.tx, claim)
    const cover = await loadClaimCover(cx, claimId)
    const decided = orRefuse(decide(claim, cx.input, actor, cover, cx.now, cx.currency))
    await saveClaim(cx, claim, decided)
    return claimDetail(cx, claimId, cover)
  },
  { as: "staff" },
)
