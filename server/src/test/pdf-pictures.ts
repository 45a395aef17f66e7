import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs"

/** Position in points from the top left corner. */
export interface PdfPicture {
  page: number
  /** Size in pixels; three bytes per pixel, red, green and blue. */
  pixels: { width: number; height: number; rgb: Buffer }
  left: number
  top: number
  width: number
  height: number
}

/** In drawing order, as pdf.js decodes them. */
export async function readPdfPictures(bytes: Uint8Array): Promise<PdfPicture[]> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const found: PdfPicture[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { height: pageHeight } = page.getViewport({ scale: 1 })
    const { fnArray, argsArray } = await page.getOperatorList()
    let at = [1, 0, 0, 1, 0, 0]
    const outer: number[][] = []
    for (const [index, operator] of fnArray.entries()) {
      if (operator === OPS.save) outer.push(at)
      else if (operator === OPS.restore) at = outer.pop()!
      else if (operator === OPS.transform) at = multiplyMatrices(at, argsArray[index] as number[])
      else if (operator === OPS.paintImageXObject) {
        const name = argsArray[index][0] as string
        const image = await new Promise<Decoded>((resolve) => page.objs.get(name, resolve))
        const [a, , , d, left, bottom] = at as [number, number, number, number, number, number]
        const [height, width] = [Math.abs(d), Math.abs(a)]
        const top = pageHeight - (d > 0 ? bottom + d : bottom)
        found.push({ page: number, pixels: toRgb(image), left, top, width, height })
      }
    }
  }
  return found
}

interface Decoded {
  width: number
  height: number
  data: Uint8Array
}

function toRgb({ width, height, data }: Decoded): PdfPicture["pixels"] {
  const step = data.length / (width * height)
  const rgb = Buffer.alloc(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) rgb.set(data.subarray(pixel * step, pixel * step + 3), pixel * 3)
  return { width, height, rgb }
}

/** The matrix that applies `inner` first. */
function multiplyMatrices(outer: number[], inner: number[]): number[] {
  const [a, b, c, d, e, f] = outer as [number, number, number, number, number, number]
  const [g, h, i, j, k, l] = inner as [number, number, number, number, number, number]
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
