import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { birthOf, place } from "./processes.ts"
import { StartRefused } from "./start-refused.ts"

export type Lock = {
  /** Says that this process is on its way out: who comes now waits instead of being refused. */
  stopping(): void
  release(): void
}

/** An errand is short: who comes waits for its end, as for one that stops. */
type State = "claims" | "runs" | "errand" | "stops"
type Claim = { name: string; pid: number; state: State; isHere: boolean; saidAt: number }

/** How long others are waited for, in milliseconds. */
const usualPatience = {
  /** Who runs may be about to stop. */
  running: 1_000,
  stopping: 60_000,
  /** Who is in another container, or on another machine, is dead when nothing was heard of them for so long. */
  silent: 30_000,
}

export type LockOptions = {
  errand?: boolean
  patience?: Partial<typeof usualPatience>
  /** Told once, in a sentence, when it takes longer to find out whether somebody is still at work. */
  onWait?: (what: string) => void
  /** Another process has taken this one for dead. */
  onLost?: () => void
}

/**
 * Lets one process at a time work on a folder. Each makes a claim of its own, named by its process id, birth and place,
 * and only then looks at the others': of two, the later one always sees the earlier. A dead process's claim, also one
 * whose id was given to another process since, is thrown away; its name never comes back, so nobody can throw away a
 * live one. Processes of another container or machine cannot be looked at: they say again and again that they live.
 *
 * @throws StartRefused naming the process that has the folder
 */
export async function takeLock(folder: string, options: LockOptions = {}): Promise<Lock> {
  const patience = { ...usualPatience, ...options.patience }
  const claims = claimsOf(folder)
  mkdirSync(claims, { recursive: true, mode: 0o700 })
  const own = join(claims, `${process.pid}-${birthOf(process.pid)}-${place}`)
  const start = performance.now()
  const firstSaid = new Map<string, number>()
  let hasTold = false
  for (;;) {
    writeFileSync(own, "claims" satisfies State, { mode: 0o600 })
    // By the folder's own clock, which is not this machine's when the folder lies elsewhere.
    const others = liveClaims(claims, statSync(own).mtimeMs - patience.silent).filter(({ name }) => name !== own)
    if (others.length === 0) return held(own, options.errand ? "errand" : "runs", patience.silent / 6, options.onLost)
    rmSync(own)
    for (const { name, saidAt } of others) if (!firstSaid.has(name)) firstSaid.set(name, saidAt)
    const waited = performance.now() - start
    const isHeard = ({ name, isHere, saidAt }: Claim) => isHere || firstSaid.get(name) !== saidAt
    const running = others.find(({ state }) => state === "runs")
    const ending = others.find(({ state }) => state === "stops" || state === "errand")
    if (running && waited > patience.running) {
      if (isHeard(running))
        throw new StartRefused(
          `Milkwood is already running with process id ${running.pid}${where(running)} on ${folder}.`,
        )
      if (!hasTold)
        options.onWait?.(`Waiting for word of process ${running.pid}${where(running)}, which had ${folder}…`)
      hasTold = true
    }
    if (ending && waited > patience.stopping)
      throw new StartRefused(
        `Milkwood with process id ${ending.pid}${where(ending)} on ${folder} does not come to its end.`,
      )
    // Two that claim at once both step back, and must not meet again.
    await pause(10 + Math.random() * 50)
  }
}

function held(own: string, state: State, sayAgainMs: number, onLost?: () => void): Lock {
  writeFileSync(own, state)
  const again = setInterval(() => {
    try {
      // Not emptied first: nobody must find it without its state.
      writeFileSync(own, state, { flag: "r+" })
    } catch (error) {
      // Any other may pass: a full disk, a network folder that is away.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") onLost?.()
    }
  }, sayAgainMs)
  again.unref()
  return {
    stopping() {
      state = "stops"
      writeFileSync(own, state)
    },
    release() {
      clearInterval(again)
      rmSync(own, { force: true })
    },
  }
}

/** What the process does that has the folder now, if any has. */
export function lockHolder(folder: string): { pid: number; state: State } | undefined {
  const claims = claimsOf(folder)
  if (!existsSync(claims)) return undefined
  return liveClaims(claims, Date.now() - usualPatience.silent).find(({ state }) => state !== "claims")
}

const claimsOf = (folder: string) => join(folder, "running")

const where = ({ isHere }: Claim) => (isHere ? "" : " of another container or machine")

function liveClaims(folder: string, heardSince: number): Claim[] {
  return readdirSync(folder).flatMap((file) => {
    const name = join(folder, file)
    const [pid = "", birth = "", at = place] = file.split("-")
    const isHere = at === place
    const saidAt = statSync(name, { throwIfNoEntry: false })?.mtimeMs
    // Withdrawn meanwhile.
    if (saidAt === undefined) return []
    if (isHere ? birthOf(Number(pid)) !== birth : saidAt < heardSince) {
      rmSync(name, { force: true })
      return []
    }
    return [{ name, pid: Number(pid), state: stateOf(name), isHere, saidAt }]
  })
}

/** A claim that is being written, or was just withdrawn, counts as a claim: its owner will look again, and so do we. */
function stateOf(file: string): State {
  try {
    const text = readFileSync(file, "utf8")
    return text === "runs" || text === "stops" || text === "errand" ? text : "claims"
  } catch {
    return "claims"
  }
}
