import { parkedReasons } from "@milkwood/domain/billing/billing-run"
import { calculateCredit } from "@milkwood/domain/billing/credit-parts"
import type { TextFormats } from "@milkwood/domain/billing/difference-words"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import { invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import { type BillCredit, billOf } from "@milkwood/domain/billing/run-bill"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Policy } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readRecord } from "../platform/database/record.ts"
import { readSettings } from "../platform/settings/store.ts"
import { creditBilledLines, PolicyParked, splitOverInvoices } from "./bill-policy.ts"
import { invoices } from "./billing.tables.ts"
import { loadCreditable } from "./credit-invoice.ts"
import { comparePolicyMonth } from "./difference.queries.ts"

type CorrectionCx = Pick<Cx, "tx" | "now" | "timezone" | "currency">

/** Amounts billed but not owed, up to the last month of sent invoices. Throws `PolicyParked` without a premium. */
async function planCorrection({ tx, now, timezone, currency }: CorrectionCx, policyId: string): Promise<BillCredit[]> {
  const last = await tx.row<{ month: Day | null }>(sql`
    select max(l.billed_month) as month from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.policy_id = ${policyId} and i.status = 'sent'`)
  if (!last?.month) return []
  const { found, isUnrated } = await comparePolicyMonth(tx, policyId, last.month, now)
  if (isUnrated) throw new PolicyParked("no_premium")
  const { dateFormat } = await readSettings(tx, platformSettings)
  return billOf(found, last.month, { dateFormat, timezone, currency }).credits
}

/** Credits a locked policy; returns the total including VAT. Throws `PolicyParked`. */
export async function correctBilledMonths(cx: Cx, policy: Policy): Promise<Cents> {
  const notes = await creditBilledLines(cx, policy, await planCorrection(cx, policy.id))
  return notes.reduce((sum, { totalCents }) => sum + totalCents, 0)
}

export interface Correction {
  /** Both include VAT: the credit notes' total, and the part already paid, which becomes credit. */
  totalCents: Cents
  releasedCents: Cents
  sentences: string[]
  /** Why a correction is impossible; null if it is possible. */
  parked: string | null
}

/** Placeholder: only amounts are used. */
const unusedWording: TextFormats = { dateFormat: "YYYY-MM-DD", timezone: "UTC", currency: "ZAR" }

interface PlannedCredit {
  invoice: Invoice
  totalCents: Cents
  vatCents: Cents
  sentences: string[]
}

/** A dry run of `creditBilledLines`. Throws `PolicyParked`. */
async function dryRunCredits(tx: Tx, policyId: string, credits: readonly BillCredit[]): Promise<PlannedCredit[]> {
  const notes: PlannedCredit[] = []
  for (const { invoiceId, lines, sentences } of await splitOverInvoices(tx, policyId, credits)) {
    const invoice = await readRecord(tx, invoices, invoiceId)
    const credit = calculateCredit(await loadCreditable(tx, invoice), { kind: "correction", lines })
    if (isRefusal(credit)) throw new PolicyParked(invoice.writtenOffCents > 0 ? "written_off" : "credit", invoice.id)
    notes.push({ invoice, totalCents: credit.totalCents, vatCents: credit.vatCents, sentences })
  }
  return notes
}

/**
 * VAT of the bill that a run would make, less VAT of its credit notes. Credit notes exclude VAT that concessions
 * already gave back. Throws `PolicyParked`.
 */
export async function previewVat({ tx, now }: Pick<Cx, "tx" | "now">, policyId: string, month: Day): Promise<Cents> {
  const { found } = await comparePolicyMonth(tx, policyId, month, now)
  const { lines, credits } = billOf(found, month, unusedWording)
  const notes = await dryRunCredits(tx, policyId, credits)
  return notes.reduce((vat, note) => vat - note.vatCents, invoiceTotals(lines, 0).vatCents)
}

/** A dry run of `correctBilledMonths`. */
export async function previewCorrection(cx: CorrectionCx, policyId: string): Promise<Correction> {
  const correction: Correction = { totalCents: 0, releasedCents: 0, sentences: [], parked: null }
  try {
    const notes = await dryRunCredits(cx.tx, policyId, await planCorrection(cx, policyId))
    for (const { invoice, totalCents, sentences } of notes) {
      const { allocatedCents, creditedCents, writtenOffCents } = invoice
      const beyond = allocatedCents + creditedCents + writtenOffCents + totalCents - invoice.totalCents
      correction.totalCents += totalCents
      correction.releasedCents += Math.max(0, Math.min(beyond, allocatedCents))
      correction.sentences.push(...sentences.filter((sentence) => !correction.sentences.includes(sentence)))
    }
  } catch (error) {
    if (!(error instanceof PolicyParked)) throw error
    return { ...correction, totalCents: 0, releasedCents: 0, parked: parkedReasonText(error) }
  }
  return correction
}

export const parkedReasonText = ({ reason }: PolicyParked): string => parkedReasons[reason]
