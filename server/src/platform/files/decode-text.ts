import { unreadableFile } from "./unreadable.ts"

/**
 * Decodes UTF-8, UTF-16 (with or without BOM) or Windows-1252, which Excel in South Africa writes as plain text. Throws
 * `Unreadable` with `notText` for anything else.
 */
export function decodeText(bytes: Uint8Array, notText: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  const sample = bytes.subarray(0, 4_000)
  const nulls = { even: 0, odd: 0 }
  for (let at = 0; at < sample.length; at += 1) if (sample[at] === 0) nulls[at % 2 === 0 ? "even" : "odd"] += 1
  // Latin letters in UTF-16 have a zero in every second byte, always on the same side.
  if (nulls.odd > sample.length / 5 && nulls.even === 0) return new TextDecoder("utf-16le").decode(bytes)
  if (nulls.even > sample.length / 5 && nulls.odd === 0) return new TextDecoder("utf-16be").decode(bytes)
  if (nulls.even + nulls.odd > 0) throw unreadableFile(notText)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}
