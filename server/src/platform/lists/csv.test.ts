import { expect, test } from "vitest"
import { toCsv } from "./csv.ts"

const cell = (value: string | number) =>
  toCsv([{ title: "T", value: () => value }], [{}])
    .toString()
    .split("\r\n")[1]

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM",
  " =1+1",
  "\u00a0=1+1",
  "\u3000＝1",
  "\ufeff@x",
])("%j is no formula", (text) => expect(cell(text)?.replaceAll('"', "")).toBe(`'${text}`))

test.each(["Sipho", " Sipho", "O'Neil = x", "2026-11-02"])("%j stays as it is", (text) =>
  expect(cell(text)?.replaceAll('"', "")).toBe(text))

test("a number stays a number", () => expect(cell(-12.5)).toBe("-12.5"))
