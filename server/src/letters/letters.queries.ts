import type { LetterRecord } from "@milkwood/domain/letters/letter"
import type { Letter, RecordLetters } from "@milkwood/domain/letters/letter-shape"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { loadLetterSource } from "./compose-letter.ts"

export const listLetters = query(lettersContract.list, (cx) => recordLetters(cx, cx.input.record, cx.input.recordId))

const maxLettersListed = 200

/** NOT_FOUND if the record does not exist. */
export async function recordLetters(cx: Cx, record: LetterRecord, recordId: string): Promise<RecordLetters> {
  const { choices } = await loadLetterSource(cx, record, recordId)
  const letters = await cx.tx.rows<Letter>(sql`
    select l.id, l.number, l.kind, l.written_on as "on", l.wording, l.template_version as "templateVersion",
      l.written_at as "writtenAt", u.name as "writtenBy", (
        select coalesce(jsonb_agg(jsonb_build_object('to', s.to_address, 'sentAt', s.sent_at, 'sentBy', n.name,
          'state', e.state) order by s.sent_at desc, s.mail_id), '[]')
        from letter_mails s join users n on n.id = s.sent_by left join mails e on e.id = s.mail_id
        where s.letter_id = l.id) as mails
    from letters l join users u on u.id = l.written_by
    where ${ownerColumns[record]} = ${recordId} order by l.written_at desc, l.id desc limit ${maxLettersListed}`)
  return {
    choices,
    letters: letters.map(({ mails, ...letter }) => ({
      ...letter,
      mails: mails.map((mail) => ({ ...mail, sentAt: Temporal.Instant.from(mail.sentAt).toString() })),
    })),
  }
}

/** A member's own letters, without those about claims. */
const ownerColumns: Record<LetterRecord, ReturnType<typeof sql>> = {
  claim: sql`l.claim_id`,
  member: sql`l.claim_id is null and l.member_id`,
  policy: sql`l.policy_id`,
}
