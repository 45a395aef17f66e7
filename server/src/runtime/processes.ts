import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { setTimeout as pause } from "node:timers/promises"

const hasProc = existsSync("/proc/self/stat")

const bootId = () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)

/** Whether a process with this id exists, whoever owns it, dead ones that nobody has collected yet among them. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * What tells a process from a later one that was given the same id: the boot and the moment it started.
 * Empty when there is no such process (a zombie, dead but not yet collected, counts as none).
 */
export function birthOf(pid: number): string {
  try {
    if (!hasProc)
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).replace(/\W/g, "")
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (fields[0] === "Z" || fields[0] === "X") return ""
    return `${bootId()}${fields[19]}`
  } catch {
    return ""
  }
}

/**
 * Where process ids mean the same as here: this boot of this machine, and in a container this container. Processes of
 * another place cannot be looked at.
 */
export const place: string = hasProc
  ? `${bootId()}.${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`
  : hostname().replace(/\W/g, "")

/** Whether the process does anything any more: one that is dead but not yet collected does not. */
export const isRunning = (pid: number): boolean => birthOf(pid) !== ""

/** Whether the process works in this folder: PostgreSQL's processes all do so in their cluster. */
export function worksIn(pid: number, folder: string): boolean {
  try {
    if (hasProc) return isRunning(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(folder)
  } catch {
    return false
  }
}

/** Waits until `done` answers true, looking every few milliseconds; false when `withinMs` have passed first. */
export async function waitUntil(done: () => boolean, withinMs: number, everyMs = 10): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!done()) {
    if (performance.now() > deadline) return false
    await pause(everyMs)
  }
  return true
}
