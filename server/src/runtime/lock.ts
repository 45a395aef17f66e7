import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { birthOf } from "./processes.ts"
import { StartRefused } from "./start-refused.ts"

export type Lock = {
  /** Says that this process is on its way out: who comes now waits instead of being refused. */
  stopping(): void
  release(): void
}

type State = "claims" | "runs" | "stops"
type Claim = { file: string; pid: number; state: State }

/**
 * Lets one process at a time work on a folder. Each makes a claim of its own, named by its process id and birth, and
 * only then looks at the others': of two, the later one always sees the earlier. A dead process's claim, also one whose
 * id was given to another process since, is thrown away; its name never comes back, so nobody can throw away a live one.
 *
 * @param patience how long to wait in milliseconds for one that runs (it may be about to stop) and for one that stops
 * @throws StartRefused naming the process that has the folder
 */
export async function takeLock(folder: string, patience = { running: 1_000, stopping: 60_000 }): Promise<Lock> {
  const claims = join(folder, "running")
  mkdirSync(claims, { recursive: true, mode: 0o700 })
  const own = join(claims, `${process.pid}-${birthOf(process.pid)}`)
  const say = (state: State) => writeFileSync(own, state, { mode: 0o600 })
  const start = performance.now()
  for (;;) {
    say("claims")
    const others = liveClaims(claims).filter(({ file }) => file !== own)
    if (others.length === 0) {
      say("runs")
      return { stopping: () => say("stops"), release: () => rmSync(own, { force: true }) }
    }
    rmSync(own)
    const waited = performance.now() - start
    const [running, stopping] = [others.find(is("runs")), others.find(is("stops"))]
    if (running && waited > patience.running)
      throw new StartRefused(`Milkwood is already running with process id ${running.pid} on ${folder}.`)
    if (stopping && waited > patience.stopping)
      throw new StartRefused(`Milkwood with process id ${stopping.pid} on ${folder} does not come to its end.`)
    // Two that claim at once both step back, and must not meet again.
    await pause(10 + Math.random() * 50)
  }
}

/** The process that has the folder now, if any. */
export function lockHolder(folder: string): number | undefined {
  const claims = join(folder, "running")
  return existsSync(claims) ? liveClaims(claims).find(({ state }) => state !== "claims")?.pid : undefined
}

const is = (state: State) => (claim: Claim) => claim.state === state

function liveClaims(folder: string): Claim[] {
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name)
    const [pid = "", birth = ""] = name.split("-")
    if (birthOf(Number(pid)) !== birth) {
      rmSync(file, { force: true })
      return []
    }
    return [{ file, pid: Number(pid), state: stateOf(file) }]
  })
}

/** A claim that is being written, or was just withdrawn, counts as a claim: its owner will look again, and so do we. */
function stateOf(file: string): State {
  try {
    const text = readFileSync(file, "utf8")
    return text === "runs" || text === "stops" ? text : "claims"
  } catch {
    return "claims"
  }
}
