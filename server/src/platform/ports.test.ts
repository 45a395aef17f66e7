import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { connect, port } from "./ports.ts"

test("a port answers with what its supplier answers", () => {
  const ports = { double: port<(of: number) => number>(), name: port<() => string>() }
  connect(ports, { double: (of) => of * 2, name: () => "Acacia" })
  expect([ports.double(21), ports.name()]).toEqual([42, "Acacia"])
})

test("a port that is not connected throws when it is called", () => {
  expect(() => port<() => string>()()).toThrow("before server/src/ports.ts connected it")
})

test("server/src/ports.ts connects the ports of every room that has some", () => {
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
