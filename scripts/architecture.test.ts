import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { rooms } from "./sources.mjs"

const page = readFileSync("ARCHITECTURE.md", "utf8")
const namePattern = /[a-z][a-z-]*/g

test("the diagram of ARCHITECTURE.md shows the modules in the order of rooms.ts", () => {
  const [diagram = ""] = page.match(/^ {4}users\b.*(?:\n {4,}→.*)*/m) ?? []
  expect(diagram.match(namePattern)).toEqual(rooms)
})

test("the table of ARCHITECTURE.md has a row for each module, in the order of rooms.ts", () => {
  const [, table = ""] = page.split("| Room | Holds |\n|---|---|\n")
  const rows = table.slice(0, table.indexOf("\n\n")).split("\n")
  expect(rows.map((row) => /^\| ([\w-]+) \| \S/.exec(row)?.[1])).toEqual(rooms)
})
