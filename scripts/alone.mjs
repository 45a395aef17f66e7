// One process at a time installs packages or builds the screens of a folder.
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const prefix = ".busy-"

/**
 * Does work while no other process does any in this folder; answers what the work answers.
 *
 * Each makes a claim of its own, a file named by its process id and birth, and only then looks at the others': of two,
 * the later one always sees the earlier. The claim of a process that is dead is thrown away; its name never comes back.
 *
 * @param {string} folder
 * @param {(run: Run) => Promise<T>} work runs programs by `run`: one that outlives us, when we are killed, is waited for
 * @returns {Promise<T>}
 * @template T
 * @typedef {(command: string, args: string[], options: object) => Promise<{ status: number | null, error?: Error }>} Run
 */
export async function alone(folder, work) {
  const own = await takeTurn(folder)
  try {
    return await work((command, args, options) => run(folder, spawn(command, args, options)))
  } finally {
    withdraw(folder, own)
  }
}

async function takeTurn(folder) {
  const own = nameOf(process.pid)
  for (let tries = 1; ; tries++) {
    let others = claims(folder)
    if (others.length === 0) {
      claim(folder, own)
      others = claims(folder).filter((name) => name !== own)
      if (others.length === 0) return own
      withdraw(folder, own)
    }
    if (tries === 2)
      console.log(`Process ${pidOf(others[0])} installs packages or builds the screens here; waiting for it…`)
    // Two that claim at once both step back, and must not meet again.
    await pause(50 + Math.random() * 100)
  }
}

function run(folder, child) {
  const own = nameOf(child.pid)
  claim(folder, own)
  return new Promise((done) => {
    child.once("error", (error) => done({ status: null, error }))
    child.once("exit", (status) => done({ status }))
  }).finally(() => withdraw(folder, own))
}

const nameOf = (pid) => `${prefix}${pid}-${birthOf(pid)}`
const pidOf = (name) => Number(name.slice(prefix.length).split("-")[0])

function claim(folder, name) {
  try {
    writeFileSync(join(folder, name), "")
  } catch {
    // The folder is not ours to write in: what cannot be done there says so itself.
  }
}

function withdraw(folder, name) {
  try {
    rmSync(join(folder, name), { force: true })
  } catch {
    // Neither is a dead one's claim ours to remove.
  }
}

/** The claims of those who live. */
function claims(folder) {
  return readdirSync(folder).filter((name) => {
    if (!name.startsWith(prefix)) return false
    const birth = birthOf(pidOf(name))
    const isLive = birth !== "" && name.endsWith(`-${birth}`)
    if (!isLive) withdraw(folder, name)
    return isLive
  })
}

/**
 * What tells a process from a later one that was given the same id: the boot and the moment it started. Empty when there
 * is no such process. (As in server/src/runtime/processes.ts, for whatever Node the machine has.)
 */
function birthOf(pid) {
  try {
    if (process.platform === "win32") return process.kill(pid, 0) ? "alive" : ""
    if (!existsSync("/proc/self/stat"))
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).replace(/\W/g, "")
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // Dead, but not yet collected.
    if (fields[0] === "Z" || fields[0] === "X") return ""
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)}${fields[19]}`
  } catch {
    return ""
  }
}
