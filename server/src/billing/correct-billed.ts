import { parkedReasons } from "@milkwood/domain/billing/billing-run"
import { creditOf } from "@milkwood/domain/billing/credit-parts"
import { type BillCredit, billOf } from "@milkwood/domain/billing/run-bill"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Policy } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { readRecord } from "../platform/database/record.ts"
import { readSettings } from "../platform/settings/store.ts"
import { creditBilled, creditsOfInvoices, Parked, parkWrittenOff } from "./bill-policy.ts"
import { invoices } from "./billing.tables.ts"
import { creditable } from "./credit-invoice.ts"
import { compare } from "./difference.queries.ts"

type Correcting = Pick<Cx, "tx" | "now" | "timezone">

/**
 * What sent invoices billed a policy and it does not owe, up to the last month that they bill; nothing where it owes more
 * besides. Throws `Parked` where a month of it has no premium.
 */
async function correctionOf({ tx, now, timezone }: Correcting, policyId: string): Promise<BillCredit[]> {
  const last = await tx.row<{ month: Day | null }>(sql`
    select max(l.billed_month) as month from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.policy_id = ${policyId} and i.status = 'sent'`)
  if (!last?.month) return []
  const { found, isUnrated } = await compare(tx, policyId, last.month, now)
  if (isUnrated) throw new Parked("no_premium")
  const { dateFormat } = await readSettings(tx, platformSettings)
  return billOf(found, last.month, { dateFormat, timezone }).credits
}

/** Makes the correcting credit notes of a locked policy; answers what they come to, VAT included. Throws `Parked`. */
export async function correctBilled(cx: Cx, policy: Policy): Promise<Cents> {
  const notes = await creditBilled(cx, policy, await correctionOf(cx, policy.id))
  return notes.reduce((sum, { totalCents }) => sum + totalCents, 0)
}

export interface Correction {
  /** What the credit notes would come to, VAT included, and what of it was paid already and becomes credit. */
  totalCents: Cents
  releasedCents: Cents
  /** Why, a sentence for each cause. */
  sentences: string[]
  /** Why they cannot be made now; null where they can. */
  parked: string | null
}

/** What `correctBilled` would do, with nothing done. */
export async function correctionToCome(cx: Correcting, policyId: string): Promise<Correction> {
  const correction: Correction = { totalCents: 0, releasedCents: 0, sentences: [], parked: null }
  try {
    const credits = await correctionOf(cx, policyId)
    for (const { invoiceId, lines, sentences } of await creditsOfInvoices(cx.tx, policyId, credits)) {
      const invoice = await readRecord(cx.tx, invoices, invoiceId)
      const credit = creditable(cx.tx, invoice).then((of) => orRefuse(creditOf(of, { kind: "correction", lines })))
      const { totalCents } = await credit.catch((error) => parkWrittenOff(invoice, error))
      const { allocatedCents, creditedCents, writtenOffCents } = invoice
      const beyond = allocatedCents + creditedCents + writtenOffCents + totalCents - invoice.totalCents
      correction.totalCents += totalCents
      correction.releasedCents += Math.max(0, Math.min(beyond, allocatedCents))
      correction.sentences.push(...sentences.filter((sentence) => !correction.sentences.includes(sentence)))
    }
  } catch (error) {
    if (!(error instanceof Parked)) throw error
    return { ...correction, totalCents: 0, releasedCents: 0, parked: parkedWords(error) }
  }
  return correction
}

/** Why a correction could not be made, in words. */
export const parkedWords = ({ reason }: Parked): string => parkedReasons[reason]
