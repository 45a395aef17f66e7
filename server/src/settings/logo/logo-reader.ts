import { readFile } from "node:fs/promises"
import { logoLimits, storedLogoSize } from "@milkwood/domain/platform/logo"
import type { ReadFile } from "../../platform/files/read-apart.ts"
import { unreadableFile } from "../../platform/files/unreadable.ts"
import { readPlainJpeg } from "./jpeg.ts"
import { decodePng, encodePng, scaleDown } from "./png.ts"

export interface DecodedLogo {
  mime: "image/png" | "image/jpeg"
  width: number
  height: number
  image: Buffer
}

/**
 * Reduces a PNG to print size and encodes it again; strips a JPEG to its pixels. Draws the result once, as a document
 * would.
 */
const read: ReadFile<{ path: string }, DecodedLogo> = async ({ path }, deliver) => {
  const file = await readFile(path)
  const logo = file[0] === 0xff ? readJpeg(file) : readPng(file)
  await checkDrawable(logo)
  await deliver(logo)
}
export default read

function readPng(file: Buffer): DecodedLogo {
  const picture = decodePng(file, checkSize)
  const stored = scaleDown(picture, storedLogoSize(picture))
  return { mime: "image/png", width: stored.width, height: stored.height, image: encodePng(stored) }
}

function readJpeg(file: Buffer): DecodedLogo {
  const { width, height, file: image } = readPlainJpeg(file)
  checkSize({ width, height })
  return { mime: "image/jpeg", width, height, image }
}

function checkSize({ width, height }: { width: number; height: number }): void {
  const { leastSide, mostSide } = logoLimits
  if (Math.min(width, height) >= leastSide && Math.max(width, height) <= mostSide) return
  throw unreadableFile(
    `The picture is ${width} × ${height} pixels. Each side must be ${leastSide} to ${mostSide.toLocaleString("en-ZA")} pixels.`,
  )
}

async function checkDrawable({ image, width, height }: DecodedLogo): Promise<void> {
  // Slow to load, and not needed for a refused picture.
  const { Sheet } = await import("../../platform/pdf/pdf-sheet.ts")
  const sheet = new Sheet({ title: "Logo", author: "Milkwood", createdAt: "2026-01-01T00:00:00Z" })
  sheet.addPage()
  try {
    sheet.picture(image, 0, 0, { width, height })
    await sheet.finish()
  } catch {
    throw unreadableFile("The picture cannot be drawn in a PDF. Save it as PNG and choose the new file.")
  }
}
