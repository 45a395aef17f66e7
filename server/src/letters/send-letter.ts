import { addressesIn } from "@milkwood/domain/kernel/email"
import type { LetterKind, LetterRecord } from "@milkwood/domain/letters/letter"
import type { LetterMail } from "@milkwood/domain/letters/letter-shape"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { sql } from "drizzle-orm"
import { isContactAddress } from "../employers/recipients.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { queueMail } from "../platform/work/mail.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { recordLetters } from "./letters.queries.ts"
import { letterMails } from "./letters.tables.ts"

interface MailableLetter {
  id: string
  number: string
  kind: LetterKind
  groupId: string
  fileId: string
}

interface LetterAbout {
  kind: LetterRecord
  id: string
  label: string
}

export const sendLetter = command(lettersContract.send, async (cx) => {
  const { letterId, mail } = cx.input
  const found = await cx.tx.row<Omit<MailableLetter, "fileId"> & { fileId: string | null; about: LetterAbout }>(sql`
    select l.id, l.number, l.kind, l.group_id as "groupId", l.file_id as "fileId", jsonb_build_object(
      'kind', case when l.claim_id is not null then 'claim' when l.policy_id is not null then 'policy' else 'member' end,
      'id', coalesce(l.claim_id, l.policy_id, l.member_id),
      'label', coalesce(
        (select number from claims where id = l.claim_id), (select number from policies where id = l.policy_id),
        (select number from members where id = l.member_id))) as about
    from letters l where l.id = ${letterId}`)
  if (!found) throw refused("NOT_FOUND")
  const { about, fileId, ...letter } = found
  if (fileId === null) throw refused("ANONYMISED")
  await mailLetter(cx, { ...letter, fileId }, about, mail)
  return { ...(await recordLetters(cx, about.kind, about.id)), mailed: await isMailEnabled(cx) }
})

/**
 * Mails the stored PDF. Refuses EMPLOYER_ADDRESS for a letter about a claim or a member to an address of the employer
 * (contacts and users), unless it is the member's own.
 */
export async function mailLetter(
  cx: Cx,
  { id, number, kind, groupId, fileId }: MailableLetter,
  about: LetterAbout,
  mail: LetterMail,
): Promise<void> {
  if (about.kind !== "policy" && (await isEmployerAddress(cx, id, mail.to))) throw refused("EMPLOYER_ADDRESS")
  const attachments = [{ fileId, name: `${number}.pdf` }]
  const mailId = await queueMail(cx, { ...mail, groupId: null, attachments, about: { kind: "letter", id } })
  const sentBy = actorUserId(cx.actor)!
  await cx.tx.insert(letterMails).values({ mailId, groupId, letterId: id, toAddress: mail.to, sentAt: cx.now, sentBy })
  await record(cx, [
    { type: "LetterMailed", record: about, groupId: null, letter: number, letterKind: kind, to: mail.to },
  ])
}

async function isEmployerAddress({ tx }: Cx, letterId: string, to: string): Promise<boolean> {
  const addresses = addressesIn(to.toLowerCase())
  const found = await tx.row<{ isEmployer: boolean }>(sql`
    select exists (
      select from unnest(${sql.param(addresses)}::text[]) a (address)
      where a.address <> lower(m.email) and (
        exists (select from policies p where p.group_id = l.group_id and lower(p.contact_email) = a.address)
        or ${isContactAddress(sql`l.group_id`, sql`a.address`)}
        or exists (select from user_groups ug join users u on u.id = ug.user_id
          where ug.group_id = l.group_id and lower(u.email) = a.address))) as "isEmployer"
    from letters l join members m on m.id = l.member_id where l.id = ${letterId}`)
  return found?.isEmployer ?? false
}
