import { join } from "node:path"
import type { LetterWording } from "@milkwood/domain/letters/letter"
import type { Cx } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import type { LetterDocument } from "./letter-pdf.ts"

const template = join(import.meta.dirname, "letter-pdf.ts")

export async function loadLetterDocument(
  { tx, now, today }: Pick<Cx, "tx" | "now" | "today">,
  wording: LetterWording,
): Promise<LetterDocument> {
  const { organisation, dateFormat } = await readDocumentSettings(tx)
  return { organisation, dateFormat, createdAt: now.toString(), on: today, wording }
}

/** Call it outside a transaction. */
export const letterPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => LetterDocument | Promise<LetterDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
