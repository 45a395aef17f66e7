import { performance } from "node:perf_hooks"
import { type Measured, median, percentile95, requireTrue } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

interface StatementComparison {
  what: string
  rounds: number
  call: () => Promise<{ status: number }>
  bare: () => Promise<unknown>
  against: string
  pids: [server: number, database: number]
}

/** Alternates the call and the bare statement; the first of each warms up. The limit is 100 ms. */
export async function compareWithStatement({
  what,
  rounds,
  call,
  bare,
  against,
  pids,
}: StatementComparison): Promise<Measured> {
  const ours: number[] = []
  const bares: number[] = []
  let work = 0
  for (let round = 0; round <= rounds; round++) {
    const worked = processorTime(...pids)
    const from = performance.now()
    const { status } = await call()
    const between = performance.now()
    requireTrue(status === 200, `${what} is answered`)
    const spent = processorTime(...pids) - worked
    const asked = performance.now()
    await bare()
    if (round === 0) continue
    ours.push(between - from)
    bares.push(performance.now() - asked)
    work += spent / rounds
  }
  return {
    what: `${what}, median`,
    ours: median(ours),
    reference: median(bares),
    unit: "ms",
    against,
    also: [
      { what: "95th percentile", value: percentile95(ours), unit: "ms", atMost: 100 },
      { what: "CPU time of a call, server and database", value: work, unit: "ms" },
    ],
  }
}
