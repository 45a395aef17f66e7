import { join } from "node:path"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cx } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { paperSettings } from "../platform/settings/paper.ts"
import { ledgerVat, vatLinesOf } from "./vat.queries.ts"
import type { VatReturnDocument } from "./vat-return-pdf.ts"

const template = join(import.meta.dirname, "vat-return-pdf.ts")

export async function vatReturnDocument({ tx, now }: Pick<Cx, "tx" | "now">, month: Day): Promise<VatReturnDocument> {
  const { organisation, dateFormat, currency } = await paperSettings(tx)
  const lines = await vatLinesOf(tx, month)
  const ledgerCents = await ledgerVat(tx, month)
  return { month, lines, ledgerCents, organisation, dateFormat, currency, createdAt: now.toString() }
}

/** Call outside a transaction. */
export const vatReturnPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => VatReturnDocument | Promise<VatReturnDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
