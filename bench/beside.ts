import { performance } from "node:perf_hooks"
import { type Measured, median, must, percentile95 } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

interface Beside {
  what: string
  rounds: number
  /** The call over HTTP that is measured. */
  call: () => Promise<{ status: number }>
  /** The statement that it is held against, and what that does. */
  bare: () => Promise<unknown>
  against: string
  /** The processes whose processor time a call takes: the server and its database. */
  pids: [server: number, database: number]
}

/** A call and a bare statement by turns; the first of each warms up. What people wait is at most 100 ms. */
export async function beside({ what, rounds, call, bare, against, pids }: Beside): Promise<Measured> {
  const ours: number[] = []
  const bares: number[] = []
  let work = 0
  for (let round = 0; round <= rounds; round++) {
    const worked = processorTime(...pids)
    const from = performance.now()
    const { status } = await call()
    const between = performance.now()
    must(status === 200, `${what} is answered`)
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
      { what: "the processor's time of a call, server and database", value: work, unit: "ms" },
    ],
  }
}
