import { may, type Role } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type AnyReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import {
  type CustomDefinition,
  customId,
  customReport,
  mayMake,
  reduceDefinition,
} from "@milkwood/domain/reports/custom-report"
import { permissionOf } from "@milkwood/domain/reports/report"
import { accountOf, deliveryTo, refusalWords } from "@milkwood/domain/reports/report-delivery"
import type { RecipientDelivery } from "@milkwood/domain/reports/report-schedule-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { type Cx, checkPermission, invalid, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { openedReport } from "./custom/custom-reports.queries.ts"

export interface SentReport {
  isMedical: boolean
  mayRead: (role: Role | null) => boolean
  bytes?: number
}

export function sentReport(report: AnyReportId, definition: CustomDefinition | null): SentReport {
  if (report !== customId) {
    const declared = reportOf(report)
    return { isMedical: declared.medical === true, mayRead: (role) => may(role, permissionOf(declared)) }
  }
  const left = reduceDefinition(definition!).definition
  return { isMedical: customReport(left, "").medical === true, mayRead: (role) => mayMake(left, role) }
}

export async function deliveriesTo(
  tx: Tx,
  sent: readonly { report: SentReport; recipients: readonly string[] }[],
): Promise<RecipientDelivery[][]> {
  const addresses = [...new Set(sent.flatMap(({ recipients }) => recipients.map((one) => one.toLowerCase())))]
  const { attachReportsOutside: attachesOutside } = await readSettings(tx, {
    attachReportsOutside: platformSettings.attachReportsOutside,
  })
  const accounts = await tx.rows<{ email: string; role: Role | null; isDisabled: boolean }>(sql`
    select lower(email) as email, role, disabled_at is not null as "isDisabled" from users
    where lower(email) = any (${sql.param(addresses)}::text[])`)
  const byAddress = new Map(accounts.map((account) => [account.email, account]))
  return sent.map(({ report: { mayRead, ...report }, recipients }) =>
    recipients.map((address) => ({
      address,
      ...deliveryTo(accountOf(byAddress.get(address.toLowerCase()), mayRead), { ...report, attachesOutside }),
    })),
  )
}

/** Refuses recipients to whom the report cannot be sent, each by address with the reason. */
export async function requireDeliverable(tx: Tx, report: SentReport, recipients: readonly string[]): Promise<void> {
  const [deliveries] = await deliveriesTo(tx, [{ report, recipients }])
  const refusals = deliveries!.filter(({ kind }) => kind === "refused")
  if (refusals.length > 0) throw invalid([{ path: "recipients", message: refusalWords(refusals) }])
}

export async function readableReport(
  cx: Pick<Cx, "tx" | "actor">,
  { report, customReportId }: { report: AnyReportId; customReportId: string | null },
): Promise<SentReport> {
  if (report !== customId) {
    checkPermission(cx.actor, permissionOf(reportOf(report)))
    return sentReport(report, null)
  }
  if (!customReportId) throw invalid([{ path: "customReportId", message: "Choose a saved report" }])
  return sentReport(report, (await openedReport(cx, customReportId)).definition)
}

export const readDeliveries = query(reportsContract.deliveries, async (cx) => {
  const { recipients, ...asked } = cx.input
  const [deliveries] = await deliveriesTo(cx.tx, [{ report: await readableReport(cx, asked), recipients }])
  return deliveries!
})
