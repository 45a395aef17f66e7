import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { Payout } from "@milkwood/domain/payouts/payout"
import { remittanceAdvice } from "@milkwood/domain/payouts/remittance-advice"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMails } from "../platform/work/mail.ts"

/** Tells payees that completed payments were made, where they gave an address for it. Nothing medical is in it. */
export async function sendRemittanceAdvices(cx: Cx, payouts: readonly Payout[]): Promise<void> {
  const told = payouts.filter(({ payeeEmail }) => payeeEmail !== "")
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
