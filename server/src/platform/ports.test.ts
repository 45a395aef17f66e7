import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { connect, port } from "./ports.ts"

test("a port returns the answer of its supplier", () => {
  const ports = { double: port<(of: number) => number>(), name: port<() => string>() }
  connect(ports, { double: (of) => of * 2, name: () => "Acacia" })
  expect([ports.double(21), ports.name()]).toEqual([42, "Acacia"])
})

test("calling an unconnected port throws", () => {
  expect(() => port<() => string>()()).toThrow("before server/src/ports.ts connected it")
})

test("server/src/ports.ts connects every ports file", () => {
  const connected = readFileSync("server/src/ports.ts", "utf8")
  const files = readdirSync("server/src", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ports.ts"),
  )
  expect(files).toContain("policies/policies.ports.ts")
  for (const file of files) {
    const name = new RegExp(`import \\* as (\\w+) from "\\./${file}"`).exec(connected)?.[1]
    expect(connected, file).toContain(`connect(${name}, {`)
  }
})
