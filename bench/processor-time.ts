import { readdirSync, readFileSync } from "node:fs"

/**
 * CPU milliseconds of a server and its database processes, on Linux; otherwise 0. Ended processes are not counted, so
 * connections must be pooled.
 */
export function processorTime(server: number, postmaster: number): number {
  return [server, postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + readProcessTime(pid), 0)
}

const childrenOf = (pid: number): number[] =>
  readFileOrEmpty(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

function readProcessTime(pid: number): number {
  const threads = listFolder(`/proc/${pid}/task`)
  return threads.reduce(
    (sum, thread) => sum + Number(readFileOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]) / 1e6,
    0,
  )
}

function readFileOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return ""
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
