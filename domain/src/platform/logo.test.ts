import { describe, expect, it } from "vitest"
import { printedLogoSize, storedLogoSize } from "./logo.ts"

describe("logo size", () => {
  it.each([
    { is: "wide", pixels: { width: 2_000, height: 100 }, paper: { width: 160, height: 8 } },
    { is: "tall", pixels: { width: 200, height: 800 }, paper: { width: 12, height: 48 } },
    { is: "small", pixels: { width: 40, height: 32 }, paper: { width: 40, height: 32 } },
  ])("a $is logo keeps its proportions within the printed logo area", ({ pixels, paper }) => {
    expect(printedLogoSize(pixels)).toEqual(paper)
  })

  it.each([
    { pixels: { width: 1_280, height: 100 }, stored: { width: 640, height: 50 } },
    { pixels: { width: 768, height: 768 }, stored: { width: 192, height: 192 } },
    { pixels: { width: 300, height: 100 }, stored: { width: 300, height: 100 } },
    { pixels: { width: 2_000, height: 1 }, stored: { width: 640, height: 1 } },
  ])("a logo of $pixels.width × $pixels.height pixels is stored at print resolution", ({ pixels, stored }) => {
    expect(storedLogoSize(pixels)).toEqual(stored)
  })
})
