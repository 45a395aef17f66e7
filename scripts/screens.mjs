// Builds the screens if their sources changed since the last build.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { node, root } from "./install.mjs"

const web = join(root, "web")
const built = join(web, "dist")
/** A separate folder: the served build stays complete during a build and after a failed one. */
const next = join(web, "dist-next")
const stamp = ".sources"

export function buildScreens() {
  const sources = fingerprint()
  if (isBuilt(sources)) return true
  console.log("Building the screens…")
  const vite = join(root, "node_modules", "vite", "bin", "vite.js")
  const options = ["build", "--outDir", next, "--emptyOutDir", "--logLevel", "warn"]
  const { status } = spawnSync(node, [vite, ...options], { cwd: web, stdio: "inherit" })
  if (status !== 0) return false
  writeFileSync(join(next, stamp), sources)
  rmSync(built, { recursive: true, force: true })
  renameSync(next, built)
  return true
}

function isBuilt(sources) {
  const last = join(built, stamp)
  return existsSync(last) && readFileSync(last, "utf8") === sources
}

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")))
  const add = (path) =>
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
  for (const folder of ["web", "domain"]) for (const path of filesOf(folder)) add(path)
  return hash.digest("hex")
}

function filesOf(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory())
        return ["node_modules", "dist", "dist-next", "test"].includes(entry.name) ? [] : filesOf(path)
      return isSource(entry.name) ? [path] : []
    })
}

// The build writes the route tree itself, so it is not a source.
const isSource = (name) => name !== "routeTree.gen.ts" && !/\.test\.tsx?$/.test(name) && !name.startsWith(".")
