import { randomUUID } from "node:crypto"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { DemoStage } from "./play.ts"

/** Openings of the claim's documents, calls and notes about the claim and its member, and a follow-up due today. */
export async function playNotes(stage: DemoStage, claim: ClaimDetail, today: Day): Promise<void> {
  const { id: claimId, member, medical } = claim
  const manager = stage.as(stage.manager)
  const idempotencyKey = () => randomUUID()
  stage.passTime()
  await stage.post.openPapers(stage.manager, claim)
  await manager.claims.addNote({
    ...{ claimId, idempotencyKey: idempotencyKey() },
    note: {
      ...{ kind: "call", direction: "out", person: medical?.hospitalName || "Sister Mokoena", contact: "021 555 0178" },
      text: "Asked for the account with all items. Accounts office sends it this week.",
      followUpOn: today,
    },
  })
  if (claim.status === "under_review") {
    const [wrong] = await manager.claims.addNote({
      ...{ claimId, idempotencyKey: idempotencyKey() },
      note: { kind: "note", text: "Report is on paper, in the file room." },
    })
    await manager.claims.strikeNote({ claimId, noteId: wrong!.id, reason: "Belongs to another claim" })
    return
  }
  stage.passTime()
  await stage.post.openPapers(stage.underwriter, claim)
  await stage.as(stage.underwriter).claims.addNote({
    ...{ claimId, idempotencyKey: idempotencyKey() },
    note: { kind: "note", text: "Report and bill agree." },
  })
  await manager.members.addNote({
    ...{ memberId: member.id, idempotencyKey: idempotencyKey() },
    note: {
      ...{ kind: "mail", direction: "in", person: `${member.firstName} ${member.lastName}` },
      text: "Asks when the claim is paid. Answered that it is with the approvers.",
    },
  })
}
