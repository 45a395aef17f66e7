import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createPlainPng } from "../../test/plain-png.ts"
import { decodePng, encodePng, type Picture, scaleDown } from "./png.ts"

const decodeFixture = (file: Buffer) => decodePng(file, () => {})
const pixelAt = ({ rgb, width }: Picture, x: number, y: number) => [...rgb.subarray((y * width + x) * 3).subarray(0, 3)]

test("a PNG with 16 bits, interlacing and alpha is decoded on white", () => {
  const picture = decodeFixture(readFileSync(join(import.meta.dirname, "fixtures/interlaced.png")))
  expect([picture.width, picture.height]).toEqual([60, 40])
  // Each pixel is (4x, 6y, 100), with an opacity of one fifth from x = 30.
  for (const [x, y] of [
    [0, 0],
    [7, 3],
    [29, 39],
  ] as const)
    expect(pixelAt(picture, x, y)).toEqual([4 * x, 6 * y, 100])
  for (const [x, y] of [
    [30, 0],
    [45, 20],
    [59, 39],
  ] as const)
    expect(pixelAt(picture, x, y)).toEqual([4 * x, 6 * y, 100].map((colour) => Math.round(colour * 0.2 + 255 * 0.8)))
})

test("PNG encoding and decoding are inverse for every filter", () => {
  const width = 50
  const noise = Buffer.from(Array.from({ length: 40 * width * 3 }, (_, at) => (at * at * 7 + at) % 251))
  const gradient = Buffer.from(Array.from({ length: 40 * width * 3 }, (_, at) => Math.floor(at / 3) % width))
  for (const rgb of [noise, gradient]) {
    const picture = { width, height: 40, rgb }
    expect(decodeFixture(encodePng(picture))).toEqual(picture)
  }
})

test("each pixel of a reduced picture is the average of those it replaces", () => {
  const rgb = Buffer.from([0, 10, 20, 100, 30, 60, 40, 50, 60, 60, 70, 20].flatMap((value) => [value, value, 255]))
  const { rgb: average, ...size } = scaleDown({ width: 6, height: 2, rgb }, { width: 3, height: 1 })
  expect(size).toEqual({ width: 3, height: 1 })
  expect([...average]).toEqual([25, 25, 255, 60, 60, 255, 45, 45, 255])
  const { rgb: third } = scaleDown({ width: 3, height: 1, rgb: rgb.subarray(3, 12) }, { width: 2, height: 1 })
  // Averages of 10 and half of 20, and of the other half of 20 and 100.
  expect([...third]).toEqual([13, 13, 255, 73, 73, 255])
})

test("decoding checks the size before inflating", () => {
  const seen: object[] = []
  const stop = () =>
    decodePng(createPlainPng(60_000, 60_000, Buffer.from("no rows")), ({ width, height }) => {
      seen.push({ width, height })
      throw new Error("too large")
    })
  expect(stop).toThrow("too large")
  expect(seen).toEqual([{ width: 60_000, height: 60_000 }])
})
