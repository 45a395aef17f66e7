interface Size {
  width: number
  height: number
}

export const logoEndings = ["png", "jpg", "jpeg"] as const

/** Limits of the uploaded file; sides in pixels. */
export const logoLimits = { bytes: 500 * 1024, leastSide: 32, mostSide: 2_000 }

/** Area on paper, in points. */
const printedLogoArea: Size = { width: 160, height: 48 }

/** Pixels per point: 288 dpi. */
const pixelsPerPoint = 4

/** Keeps proportions; never enlarges. */
function fitWithin({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height)
  return { width: width * scale, height: height * scale }
}

/** Printed size in points. A small logo is not enlarged: one pixel is one point. */
export const printedLogoSize = (pixels: Size): Size => fitWithin(pixels, printedLogoArea)

/** Size before storing, in whole pixels. */
export function storedLogoSize(pixels: Size): Size {
  const { width, height } = fitWithin(pixels, {
    width: printedLogoArea.width * pixelsPerPoint,
    height: printedLogoArea.height * pixelsPerPoint,
  })
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}
