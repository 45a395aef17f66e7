import { performance } from "node:perf_hooks"

/** One measurement against its reference, taken in the same run. */
export interface Measured {
  /** What was measured: "import of 100 000 members". */
  what: string
  ours: number
  reference: number
  unit: "ms"
  /** What the reference is: "COPY of the same rows". */
  against: string
  /** The most that ours may be of the reference. */
  atMost?: number
  /** Other figures worth writing down, and the limits that they are held against. */
  also?: { what: string; value: number; unit: string; atMost?: number }[]
}

export interface Bench {
  name: string
  /** `flags` are what stands after two dashes: `--small`, `--only=claims`. */
  run(say: (line: string) => void, flags: Map<string, string>): Promise<Measured[]>
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value that 95 of 100 do not exceed. */
export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)]!
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/**
 * Runs ours and the reference in turn, so that a change of the machine's mood meets both, and answers the medians.
 * Each answers its own milliseconds, so that what it prepares does not count.
 */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ ours: number; reference: number }> {
  const taken = { ours: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // Whoever runs second finds warmer caches, so they take turns in that as well.
    const order = round % 2 === 0 ? (["ours", "reference"] as const) : (["reference", "ours"] as const)
    for (const which of order) taken[which].push(await (which === "ours" ? ours() : reference()))
  }
  return { ours: median(taken.ours), reference: median(taken.reference) }
}

/** Throws when something does not hold that must: a benchmark of wrong results measures nothing. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken: ${what}`)
}
