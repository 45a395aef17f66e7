import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { Payout } from "@milkwood/domain/payouts/payout"
import { remittanceAdvice } from "@milkwood/domain/payouts/remittance-advice"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMail } from "../platform/work/mail.ts"

/** Tells the payee that a completed payment was made, where they gave an address for it. Nothing medical is in it. */
export async function sendRemittanceAdvice(cx: Cx, payout: Payout): Promise<void> {
  if (payout.payeeEmail === "") return
  const { organisation, dateFormat } = await readSettings(cx.tx, platformSettings)
  const paidOn = formatDay(payout.completedOn!, dateFormat)
  const advice = remittanceAdvice(payout, { organisation: organisation.name, paidOn })
  await queueMail(cx, {
    to: payout.payeeEmail,
    ...advice,
    about: { kind: "payout", id: payout.id },
    groupId: payout.groupId,
  })
}
