import { hasPermission, type Role } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type AnyReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import {
  type CustomDefinition,
  canMakeReport,
  customId,
  customReport,
  reduceDefinition,
} from "@milkwood/domain/reports/custom-report"
import { permissionOf } from "@milkwood/domain/reports/report"
import { deliveryFor, findAccount, refusalsText } from "@milkwood/domain/reports/report-delivery"
import type { RecipientDelivery } from "@milkwood/domain/reports/report-schedule-shape"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { type Cx, checkPermission, invalidInput, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readOwnOrSharedReport } from "./custom/custom-reports.queries.ts"

export interface ReportAccess {
  isMedical: boolean
  mayRead: (role: Role | null) => boolean
  bytes?: number
}

export function reportAccessOf(report: AnyReportId, definition: CustomDefinition | null): ReportAccess {
  if (report !== customId) {
    const declared = reportOf(report)
    return { isMedical: declared.medical === true, mayRead: (role) => hasPermission(role, permissionOf(declared)) }
  }
  const left = reduceDefinition(definition!).definition
  return { isMedical: customReport(left, "").medical === true, mayRead: (role) => canMakeReport(left, role) }
}

export async function computeDeliveries(
  tx: Tx,
  sent: readonly { report: ReportAccess; recipients: readonly string[] }[],
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
      ...deliveryFor(findAccount(byAddress.get(address.toLowerCase()), mayRead), { ...report, attachesOutside }),
    })),
  )
}

/** Refuses recipients to whom the report cannot be sent, each by address with the reason. */
export async function requireDeliverable(tx: Tx, report: ReportAccess, recipients: readonly string[]): Promise<void> {
  const [deliveries] = await computeDeliveries(tx, [{ report, recipients }])
  const refusals = deliveries!.filter(({ kind }) => kind === "refused")
  if (refusals.length > 0) throw invalidInput([{ path: "recipients", message: refusalsText(refusals) }])
}

export async function readReportAccess(
  cx: Pick<Cx, "tx" | "actor">,
  { report, customReportId }: { report: AnyReportId; customReportId: string | null },
): Promise<ReportAccess> {
  if (report !== customId) {
    checkPermission(cx.actor, permissionOf(reportOf(report)))
    return reportAccessOf(report, null)
  }
  if (!customReportId) throw invalidInput([{ path: "customReportId", message: "Choose a saved report" }])
  return reportAccessOf(report, (await readOwnOrSharedReport(cx, customReportId)).definition)
}

export const readDeliveries = query(reportsContract.deliveries, async (cx) => {
  const { recipients, ...asked } = cx.input
  const [deliveries] = await computeDeliveries(cx.tx, [{ report: await readReportAccess(cx, asked), recipients }])
  return deliveries!
})
