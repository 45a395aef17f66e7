import { submit } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadChosenCover } from "./claim-choices.queries.ts"
import { requireDeciders } from "./claim-deciders.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { loadPremiumStanding } from "./premium-standing.queries.ts"

/** Runs as staff, because the reserve is posted to the ledger; `lockClaim` limits the actor to their groups. */
export const submitClaim = command(
  claimsContract.submit,
  async (cx) => {
    const claim = await lockClaim(cx, cx.input.claimId)
    expectVersion(claim, cx.input.version)
    const premiumStanding = claim.incidentOn ? await loadPremiumStanding(cx, claim.memberId, claim.incidentOn) : null
    const chosen = { ...(await loadChosenCover(cx.tx, claim)), premiumStanding }
    const submitted = orRefuse(submit(claim, ruleActor(cx.actor), cx.today, cx.now, chosen))
    await requireDeciders(cx, submitted.value)
    await saveClaim(cx, claim, submitted)
    return claimDetail(cx, claim.id)
  },
  { as: "staff" },
)
