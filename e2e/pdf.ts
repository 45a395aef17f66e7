import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

/** The text of all pages, with single spaces. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  let text = ""
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    for (const item of items) if ("str" in item) text += ` ${item.str}`
  }
  return withSingleSpaces(text)
}

export const withSingleSpaces = (text: string): string => text.replace(/[\s\u00a0]+/g, " ")
