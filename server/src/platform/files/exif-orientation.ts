const orientationTag = 0x0112

/**
 * The orientation (1 to 8) in the TIFF structure of an Exif block; undefined if it has none or cannot be read. 1 is
 * upright.
 */
export function orientationOf(tiff: Buffer): number | undefined {
  const order = tiff.toString("latin1", 0, 2)
  if (order !== "II" && order !== "MM") return
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  if (tiff.length < 8 || short(2) !== 42) return
  const directory = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < Math.min(short(directory), 1_000); entry++) {
    const at = directory + 2 + entry * 12
    if (short(at) !== orientationTag) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
}

/** A TIFF structure with the orientation and nothing else. */
export function tiffOfOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write("MM\0*\0\0\0\x08", "latin1")
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  // One value of the type SHORT.
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
