import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { Payout } from "@milkwood/domain/payouts/payout"
import { remittanceAdvice } from "@milkwood/domain/payouts/remittance-advice"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMails } from "../platform/work/mail.ts"

/**
 * Mails payees that their payments were completed. Rematching a bank line sends no second mail; a new release does.
 * Contains nothing medical.
 */
export async function sendRemittanceAdvices(cx: Cx, payouts: readonly Payout[]): Promise<void> {
  const addressed = payouts.filter(({ payeeEmail }) => payeeEmail !== "")
  if (addressed.length === 0) return
  const mailed = await cx.tx.rows<{ id: string }>(sql`
    select o.id from payouts o
    where o.id = any (${sql.param(addressed.map(({ id }) => id))}::uuid[]) and exists (
      select from mails m where m.about_kind = 'payout' and m.about_id = o.id and m.created_at >= o.released_at
        and lower(m.to_address) = lower(o.payee_email))`)
  const isMailed = new Set(mailed.map(({ id }) => id))
  const told = addressed.filter(({ id }) => !isMailed.has(id))
  if (told.length === 0) return
  const { organisation, dateFormat } = await readSettings(cx.tx, platformSettings)
  const mails = told.map((payout) => ({
    ...remittanceAdvice(
      payout,
      {
        organisation: organisation.name,
        paidOn: formatDay(payout.completedOn!, dateFormat),
      },
      cx.currency,
    ),
    to: payout.payeeEmail,
    about: { kind: "payout", id: payout.id },
    groupId: payout.groupId,
  }))
  await queueMails(cx, mails)
}
