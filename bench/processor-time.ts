import { readdirSync, readFileSync } from "node:fs"

/**
 * Milliseconds of the processor that a server and all processes of its database have had, as Linux counts them; 0
 * elsewhere. A process that has ended is counted no more: connections live on in their pool.
 */
export function processorTime(server: number, postmaster: number): number {
  return [server, postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + ofProcess(pid), 0)
}

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

function ofProcess(pid: number): number {
  const threads = list(`/proc/${pid}/task`)
  return threads.reduce(
    (sum, thread) => sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]) / 1e6,
    0,
  )
}

/** A thread that ended meanwhile has nothing to read. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return ""
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
