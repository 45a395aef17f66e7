// Enforces which file may import which, and that the domain uses no clock or randomness. See "The rooms, in order" in
// ARCHITECTURE.md.
import { dirname, join, normalize } from "node:path"
import { isTest, rooms, sources, withoutComments } from "./sources.mjs"

const domainPackages = new Set(["zod", "@orpc/contract"])

/** Violations as `file: problem`. */
export function brokenImportRules(files = sources()) {
  return files.flatMap(({ path, text }) => {
    const code = withoutComments(text)
    const wrong = importsOf(code)
      .map((name) => judge(path, name))
      .filter(Boolean)
    return [...wrong, ...impurities(path, code)].map((what) => `${path}: ${what}`)
  })
}

/** Only these files may contain schemas, to keep the validator out of the first page's bundle. */
const mayHoldShapes = (path) =>
  /(?:-shape|-form|-settings|\.contract)\.ts$/.test(path) ||
  /\/kernel\/(?:plain-words|procedure|setting)\.ts$/.test(path)

function judge(path, name) {
  const floor = floorOf(path)
  const target = resolveImport(path, name)
  if (floor === "domain" && name === "zod" && !isTest(path) && !mayHoldShapes(path))
    return "words hold no zod: a shape stands in a file named <record>-shape.ts"
  if (floor === "domain" && !isTest(path) && !target && !domainPackages.has(name))
    return `the domain imports nothing but ${[...domainPackages].join(" and ")}, not "${name}"`
  if (!target) return undefined
  const targetFloor = target.split("/")[0]
  if (floor === "domain" && targetFloor !== "domain")
    return `the domain does not import from ${targetFloor} ("${name}")`
  if (floor === "server" && targetFloor === "web") return `the server does not import from web ("${name}")`
  if (floor === "web" && targetFloor === "server" && !isTest(path))
    return `screens do not import from server ("${name}")`
  if (floor === "e2e" && (targetFloor === "web" || targetFloor === "server") && !target.includes("/fixtures/"))
    return `journeys drive the interface alone and do not import from ${targetFloor} ("${name}")`
  if (isTest(path)) return undefined
  return judgeScreens(path, target, name) ?? judgeRooms(path, target, name)
}

/** Each layer imports only those before it. Files directly in `web/src` belong to the shell. */
const layers = ["platform", "ui", "rooms", "shell"]

function judgeScreens(path, target, name) {
  if (floorOf(path) !== "web" || floorOf(target) !== "web") return undefined
  const [own, other] = [layerOf(path), layerOf(target)]
  if (layers.indexOf(other) <= layers.indexOf(own)) return undefined
  const what = own === "rooms" ? `the room ${roomOf(path)}` : own
  return `${what} does not import from ${other === "rooms" ? `the room ${roomOf(target)}` : other} ("${name}")`
}

function layerOf(path) {
  if (roomOf(path)) return "rooms"
  const part = path.split("/")[2]
  return part === "platform" || part === "ui" ? part : "shell"
}

const floorOf = (path) => path.split("/")[0]

function judgeRooms(path, target, name) {
  const [room, other] = [roomOf(path), roomOf(target)]
  const floor = floorOf(path)
  if (floor === "web") return undefined
  if (room === undefined) {
    // Files beside the modules (router, app, facts) combine them. Shared folders beside the modules may not import any.
    const ground = /^(?:domain|server)\/src\/([\w-]+)\//.exec(path)?.[1]
    if (ground && other) return `${ground} does not import from the room ${other} ("${name}")`
    if (/^server\/src\/platform\//.test(path) && /^server\/src\/(?:http|runtime)\//.test(target))
      return `platform does not import from ${target.split("/")[2]} ("${name}")`
    // `runtime` may import it, because it starts the app.
    if (ground && ground !== "runtime" && /^\w+\/src\/[^/]+$/.test(target) && floorOf(target) === floor)
      return `${ground} does not import what puts the rooms together ("${name}")`
    return undefined
  }
  if (other === undefined) return undefined
  if (room === other || rooms.indexOf(other) < rooms.indexOf(room)) return undefined
  return `${room} does not import from ${other}, which stands to its right ("${name}")`
}

function impurities(path, code) {
  if (!path.startsWith("domain/") || isTest(path)) return []
  const found = code.match(/\bTemporal\.Now\b|\bMath\.random\b|\bnew Date\b|\bDate\.now\b|\bcrypto\.\w+/g) ?? []
  return found.map((what) => `the domain has no clock and no chance: ${what}`)
}

/** Path from the root; undefined for packages. */
export function resolveImport(path, name) {
  if (name.startsWith(".")) return normalize(join(dirname(path), name))
  const own = /^@milkwood\/(domain|server|web)(?:\/(.*))?$/.exec(name)
  return own ? `${own[1]}/src/${own[2] ?? "index"}` : undefined
}

export function roomOf(path) {
  const [, src, room] = path.split("/")
  return src === "src" && rooms.includes(room) ? room : undefined
}

export function importsOf(code) {
  const statements =
    /^(?:import|export)\b[^"'`;]*?from\s*["']([\w@./:-]+)["']|^import\s*["']([\w@./:-]+)["']|\bimport\(\s*["']([\w@./:-]+)["']/gm
  return [...code.matchAll(statements)].map((match) => match[1] ?? match[2] ?? match[3])
}

if (process.argv[1]?.endsWith("import-rules.mjs")) {
  const broken = brokenImportRules()
  for (const line of broken) console.error(line)
  process.exitCode = broken.length ? 1 : 0
}
