import { join } from "node:path"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cx } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { sumLedgerVat, vatLinesOf } from "./vat.queries.ts"
import type { VatReturnDocument } from "./vat-return-pdf.ts"

const template = join(import.meta.dirname, "vat-return-pdf.ts")

export async function loadVatReturnDocument(
  { tx, now }: Pick<Cx, "tx" | "now">,
  month: Day,
): Promise<VatReturnDocument> {
  const { organisation, dateFormat, currency } = await readDocumentSettings(tx)
  const lines = await vatLinesOf(tx, month)
  const ledgerCents = await sumLedgerVat(tx, month)
  return { month, lines, ledgerCents, organisation, dateFormat, currency, createdAt: now.toString() }
}

/** Call it outside a transaction. */
export const vatReturnPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => VatReturnDocument | Promise<VatReturnDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
