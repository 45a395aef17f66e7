import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

export const normalizeSpaces = (text: string): string => text.replace(/[\s\u00a0]+/g, " ")

export async function readPdfPages(bytes: Uint8Array): Promise<string[]> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    let page = ""
    let end = { x: 0, y: 0 }
    for (const item of items) {
      if (!("str" in item)) continue
      const [x, y] = [item.transform[4] as number, item.transform[5] as number]
      const touches = y === end.y && Math.abs(x - end.x) < 0.3
      page += touches ? item.str : ` ${item.str}`
      end = { x: x + item.width, y }
    }
    pages.push(normalizeSpaces(page))
  }
  return pages
}
