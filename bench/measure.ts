import { performance } from "node:perf_hooks"

export interface Measured {
  what: string
  ours: number
  reference: number
  unit: "ms"
  against: string
  atMost?: number
  also?: { what: string; value: number; unit: string; atMost?: number }[]
}

export interface Bench {
  name: string
  /** `flags`: arguments after two dashes, such as `--small` or `--only=claims`. */
  run(say: (line: string) => void, flags: Map<string, string>): Promise<Measured[]>
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)]!
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/**
 * Alternates the product and the reference, so that machine load affects both; returns medians. Each returns its own
 * milliseconds, without preparation.
 */
export async function runAlternately(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ ours: number; reference: number }> {
  const taken = { ours: [] as number[], reference: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // The second runner has warmer caches, so the order alternates.
    const order = round % 2 === 0 ? (["ours", "reference"] as const) : (["reference", "ours"] as const)
    for (const which of order) taken[which].push(await (which === "ours" ? ours() : reference()))
  }
  return { ours: median(taken.ours), reference: median(taken.reference) }
}

/** Throws on a wrong result: its timing would be meaningless. */
export function requireTrue(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken: ${what}`)
}
