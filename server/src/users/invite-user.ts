import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, invalidInput, query, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { expectLinksNotHeld, isMailEnabled } from "../platform/work/mail-server.ts"
import { type CreatedLink, createLink } from "./account-links.ts"
import { queueInvitationMail } from "./account-mails.ts"
import { checkAddressIsFree } from "./new-account.ts"
import { requireUser } from "./sessions.ts"
import { groupsExist, readOpenInvitations } from "./users.queries.ts"

export const invitations = query(usersContract.invitations, (cx) => readOpenInvitations(cx))

interface OpenInvitation {
  email: string
  role: Role
  groupIds: string[]
}

const invitationRecord = (id: string, email: string) => ({
  record: { kind: "user" as const, id, label: email },
  groupId: null,
})

/** Replaces an open invitation of the same address. */
export const invite = command(usersContract.invite, async (cx) => {
  const { input } = cx
  expectProof(cx)
  await expectLinksNotHeld(cx)
  const groupIds = groupRoles.includes(input.role) ? await requireExistingGroups(cx, input.groupIds) : []
  await lockInvitations(cx)
  await checkAddressIsFree(cx, input.email)
  await cx.tx.run(sql`
    update account_links set revoked_at = ${cx.now}
    where kind = 'invitation' and email = ${input.email} and used_at is null and revoked_at is null`)
  const invitation = { email: input.email, role: input.role, groupIds }
  const link = await createAndMailLink(cx, invitation)
  await record(cx, [{ type: "UserInvited", ...invitationRecord(link.id, input.email), after: invitation }])
  return createdInvitationOf(cx, link)
})

export const resendInvitation = command(usersContract.resendInvitation, async (cx) => {
  expectProof(cx)
  await expectLinksNotHeld(cx)
  await lockInvitations(cx)
  const invitation = await revokeOpenInvitation(cx, cx.input.id)
  const link = await createAndMailLink(cx, invitation)
  await record(cx, [
    { type: "InvitationResent", ...invitationRecord(link.id, invitation.email), mailed: await isMailEnabled(cx) },
  ])
  return createdInvitationOf(cx, link)
})

const createdInvitationOf = async (cx: Cx, { id, url, expiresAt }: CreatedLink) => ({
  id,
  link: url,
  expiresAt,
  mail: (await isMailEnabled(cx)) ? ("queued" as const) : ("kept" as const),
})

export const revokeInvitation = command(usersContract.revokeInvitation, async (cx) => {
  const { email } = await revokeOpenInvitation(cx, cx.input.id)
  await record(cx, [{ type: "InvitationRevoked", ...invitationRecord(cx.input.id, email) }])
  return {}
})

/** Serialises invitations: of two for one address, the second replaces the first. */
const lockInvitations = ({ tx }: Cx) => holdLock(tx, "invitations")

async function createAndMailLink(cx: Cx, invitation: OpenInvitation): Promise<CreatedLink> {
  const actor = requireUser(cx)
  const link = await createLink(cx, { kind: "invitation", ...invitation, createdBy: actor.userId })
  await queueInvitationMail(cx, { ...invitation, id: link.id, url: link.url, invitedBy: actor.name })
  return link
}

async function revokeOpenInvitation({ tx, now }: Cx, id: string): Promise<OpenInvitation> {
  const found = await tx.row<OpenInvitation>(sql`
    update account_links set revoked_at = ${now}
    where id = ${id} and kind = 'invitation' and used_at is null and revoked_at is null
    returning email, role, group_ids::text[] as "groupIds"`)
  if (!found) throw refused("NOT_FOUND", "This invitation was accepted or revoked.")
  return found
}

/** The distinct group ids. INVALID if one does not exist or none is given. */
export async function requireExistingGroups({ tx }: Pick<Cx, "tx">, groupIds: string[]): Promise<string[]> {
  const wanted = [...new Set(groupIds)]
  if (wanted.length === 0)
    throw invalidInput([{ path: "groupIds", message: "Choose at least one group for this role" }])
  if (!(await groupsExist(tx, wanted)))
    throw invalidInput([{ path: "groupIds", message: "One of the groups does not exist" }])
  return wanted
}
