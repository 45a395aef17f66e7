// Installs missing packages. Plain JavaScript: it runs on the machine's Node (20 or later) before Milkwood's own Node
// is installed.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, "node_modules")
const stamp = join(modules, ".milkwood-installed")
const lockfile = join(root, "package-lock.json")

/** The Node from the packages. */
export const node = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node")

/** Installs packages unless they match package-lock.json. Exits on failure. */
export function install() {
  const wanted = `${createHash("sha256").update(readFileSync(lockfile)).digest("hex")} ${process.platform}-${process.arch}\n`
  if (nodeRuns() && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  if (!(nodeRuns() && isInstalled())) {
    console.log("Installing packages (once, about a minute)…")
    const { status, error } = npm([
      "ci",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ])
    if (status !== 0 || !nodeRuns()) {
      console.error(
        `Packages could not be installed${error ? `: ${error.message}` : ""}. Is the npm registry within reach?`,
      )
      process.exit(1)
    }
  }
  try {
    writeFileSync(stamp, wanted)
  } catch {
    // Another user's read-only installation: checked again next time.
  }
}

function nodeRuns() {
  return existsSync(node) && spawnSync(node, ["--version"]).status === 0
}

/** Compares versions, since a user may have run npm directly. Optional packages are ignored. */
function isInstalled() {
  try {
    const packages = (file) => JSON.parse(readFileSync(file, "utf8")).packages
    const there = packages(join(modules, ".package-lock.json"))
    return Object.entries(packages(lockfile)).every(
      ([path, { version, optional, link }]) =>
        !path.startsWith("node_modules/") || optional || link || there[path]?.version === version,
    )
  } catch {
    return false
  }
}

/** Runs npm with the machine's Node, because `npm ci` deletes the one in node_modules. */
function npm(args) {
  const environment = { ...process.env, PATH: ownPath() }
  const script = process.env.npm_execpath
  const own = hostNode()
  const options = { cwd: root, stdio: "inherit", env: environment }
  if (script?.endsWith(".js") && own) return spawnSync(own, [script, ...args], options)
  return spawnSync("npm", args, { ...options, shell: process.platform === "win32" })
}

function ownPath() {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.filter((folder) => !folder.includes("node_modules")).join(delimiter)
}

function hostNode() {
  const name = process.platform === "win32" ? "node.exe" : "node"
  return ownPath()
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
