/** The logo on the organisation's documents: what is accepted as one, and how large it is drawn. */

interface Size {
  width: number
  height: number
}

export const logoEndings = ["png", "jpg", "jpeg"] as const

/** Of the uploaded file; sides are in pixels. */
export const logoLimits = { bytes: 500 * 1024, leastSide: 32, mostSide: 2_000 }

/** The area on paper that a logo is fitted into, in points. */
const room: Size = { width: 160, height: 48 }

/** Pixels per point: 288 dots an inch on paper. */
const resolution = 4

/** The size within `most` that keeps the proportions; a smaller picture is never enlarged. */
function fitted({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height)
  return { width: width * scale, height: height * scale }
}

/** The size on paper, in points: a pixel of a small picture is one point. */
export const logoOnPaper = (pixels: Size): Size => fitted(pixels, room)

/** The size that a logo is reduced to before it is stored, in whole pixels. */
export function storedLogoSize(pixels: Size): Size {
  const { width, height } = fitted(pixels, { width: room.width * resolution, height: room.height * resolution })
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}
