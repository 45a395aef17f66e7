import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { DemoStage } from "./play.ts"

/** A remittance list with a missing member, an old premium and an unknown person. */
export async function playRemittance(stage: DemoStage): Promise<void> {
  const manager = stage.as(stage.manager)
  const { rows } = await manager.billing.list({ tab: "unpaid", sort: "invoiceOn", dir: "desc", pageSize: 25 })
  for (const { id: invoiceId, periodStartOn } of rows) {
    const { rows: lines } = await manager.billing.lines({ invoiceId, page: 1 })
    const billed = lines.filter(({ member }) => member !== null)
    if (billed.length < 5) continue
    const paid = billed.slice(1).map(({ member, totalCents }, at) => {
      const premium = Math.round(totalCents * 1.15) - (at === 1 ? 25_00 : 0)
      return `${member!.firstName} ${member!.lastName},${member!.idNumber ?? ""},${(premium / 100).toFixed(2)}`
    })
    const csv = ["Full name,ID number,Amount deducted", ...paid, "Nomsa Temporary,,350.00"].join("\r\n")
    await stage.post.sendRemittance(stage.manager, invoiceId, {
      name: `Deductions ${formatMonth(periodStartOn)}.csv`,
      csv,
    })
    return
  }
}
