import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"

/** Tests and samples may import every module. */
export const isTest = (path) => /\.(test|samples|process)\.tsx?$/.test(path) || /\/(test|demo)\//.test(path)

export const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")

export function sources() {
  return ["domain/src", "server/src", "web/src", "e2e"].flatMap(filesOf)
}

function filesOf(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesOf(path)
    if (!/\.tsx?$/.test(entry.name) || entry.name === "routeTree.gen.ts") return []
    return [{ path, text: readFileSync(join(root, path), "utf8") }]
  })
}

export const rooms = readRooms()

function readRooms() {
  const text = readFileSync(join(root, "domain", "src", "rooms.ts"), "utf8")
  const list = /rooms\s*=\s*\[([\s\S]*?)\]/.exec(text)?.[1] ?? ""
  const names = [...list.matchAll(/["']([\w-]+)["']/g)].map((match) => match[1])
  if (names.length === 0) throw new Error("domain/src/rooms.ts names no rooms")
  return names
}
