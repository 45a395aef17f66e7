// Chooses the tests of `npm run test:quick -- <room>`.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { importsOf, resolveImport, roomOf } from "./import-rules.mjs"
import { root } from "./install.mjs"
import { isTest, rooms, sources, withoutComments } from "./sources.mjs"

/** Seconds of server and web tests. With the start of two workers they end within a minute. */
const budget = 25
const usualSeconds = 1

/** Rooms with a file that imports from this room, in order. */
export function dependentsOf(room, files = sources()) {
  const found = new Set()
  for (const { path, text } of files) {
    const own = roomOf(path)
    if (!own || own === room || isTest(path) || found.has(own)) continue
    const targets = importsOf(withoutComments(text)).map((name) => resolveImport(path, name))
    if (targets.some((target) => target && roomOf(target) === room)) found.add(own)
  }
  return rooms.filter((other) => found.has(other))
}

/**
 * All domain tests of the room and its dependents; then server and web tests, the room's own first and the fastest
 * first, while they fit into the budget. Files with unknown seconds count as fast.
 */
export function quickTests(room, files = sources(), seconds = knownSeconds()) {
  const chosen = [room, ...dependentsOf(room, files)]
  const tests = files.map(({ path }) => path).filter((path) => /\.test\.tsx?$/.test(path))
  const secondsOf = (path) => seconds[path] ?? usualSeconds
  const run = []
  const left = []
  let spent = 0
  for (const each of chosen) {
    const own = tests.filter((path) => roomOf(path) === each).sort((one, other) => secondsOf(one) - secondsOf(other))
    for (const path of own) {
      const cost = path.startsWith("domain/") ? 0 : secondsOf(path)
      if (spent + cost > budget) left.push(path)
      else {
        spent += cost
        run.push(path)
      }
    }
  }
  return { rooms: chosen, run, left }
}

/** Written by `npm test -- --keep-times`. */
export const timesFile = join(root, "scripts", "test-times.json")

const knownSeconds = () => JSON.parse(readFileSync(timesFile, "utf8"))
