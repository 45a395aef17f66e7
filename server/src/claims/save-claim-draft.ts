import { randomUUID } from "node:crypto"
import { type ClaimContent, contentOf } from "@milkwood/domain/claims/claim"
import { edit } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { preparerIds } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { shareMember } from "../members/member-record.ts"
import { actorSeesGroup, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { loadChosenCover } from "./claim-choices.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { claims } from "./claims.tables.ts"

/**
 * Runs as staff, because an edit of a submitted claim moves its reserve in the ledger; `lockClaim` and `checkChoices`
 * limit the actor to their groups.
 */
export const saveClaimDraft = command(
  claimsContract.saveDraft,
  async (cx) => {
    const { claimId, version, content } = cx.input
    // Members lock before claims, as in a change of the member.
    await shareMember(cx.tx, content.memberId)
    if (!claimId) return claimDetail(cx, await startDraft(cx, content))

    const claim = await lockClaim(cx, claimId)
    expectVersion(claim, version)
    const { policyId, groupId } = await checkChoices(cx, content)
    if (groupId !== claim.groupId) {
      throw invalidInput([
        {
          path: "content.memberId",
          message: "You cannot move a claim to another group. Start a new claim for this member.",
        },
      ])
    }
    const chosen = await loadChosenCover(cx.tx, content)
    const edited = orRefuse(edit(claim, { ...content, policyId }, ruleActor(cx.actor), cx.today, chosen))
    await saveClaim(cx, claim, edited)
    return claimDetail(cx, claim.id)
  },
  { as: "staff" },
)

async function startDraft(cx: Cx, content: ClaimContent): Promise<string> {
  const { policyId, groupId } = await checkChoices(cx, content)
  const id = randomUUID()
  await cx.tx.insert(claims).values({
    ...contentOf(content),
    id,
    groupId,
    policyId,
    notificationOn: content.notificationOn ?? cx.today,
    number: await nextNumber(cx.tx, "claim", cx.today),
    capturedBy: preparerIds(ruleActor(cx.actor)),
    createdAt: cx.now,
    updatedAt: cx.now,
  })
  return id
}

/**
 * The policy and group of the chosen member. INVALID for a member, dependent or benefit that does not exist or is not
 * visible, or a member who was never covered.
 */
async function checkChoices(cx: Cx, content: ClaimContent): Promise<{ policyId: string; groupId: string }> {
  const member = await cx.tx.row<{
    policyId: string
    groupId: string
    pending: boolean
    benefitExists: boolean
    dependentExists: boolean
  }>(sql`
    select policy_id as "policyId", group_id as "groupId", status = 'Pending' as pending,
      ${content.dependentId}::uuid is null or exists (select from dependents d
        where d.id = ${content.dependentId} and d.member_id = ${content.memberId}) as "dependentExists",
      ${content.benefitId}::uuid is null or exists (select from benefits where id = ${content.benefitId}) as "benefitExists"
    from members where id = ${content.memberId}`)
  if (!member || !actorSeesGroup(cx.actor, member.groupId))
    throw invalidInput([{ path: "content.memberId", message: "This member does not exist." }])
  if (member.pending) {
    throw invalidInput([{ path: "content.memberId", message: "The member's policy is not active yet." }])
  }
  if (!member.dependentExists) {
    throw invalidInput([{ path: "content.dependentId", message: "This person is not a dependent of the member." }])
  }
  if (!member.benefitExists)
    throw invalidInput([{ path: "content.benefitId", message: "This benefit does not exist." }])
  return member
}
