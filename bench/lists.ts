import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { hasPermission, type Role } from "@milkwood/domain/platform/permission"
import { type Book, openBook, type Reader, readers } from "./book.ts"
import { allCalls, type Call, type Samples } from "./list-calls.ts"
import { loadReaderSamples, loadSamples } from "./list-samples.ts"
import { measureHandWrittenSearches } from "./lists.searches.ts"
import { type Bench, type Measured, median, percentile95, requireTrue } from "./measure.ts"
import { processorTime } from "./processor-time.ts"
import { Person, type Server, signIn, startServer } from "./server.ts"

/** A report works out its figures from the whole book. */
const limitMs = { list: 100, page: 150, report: 1_500 }
const defaultRounds = 12

const roles: Record<Reader, Role> = {
  admin: "admin",
  manager: "manager",
  underwriter: "underwriter",
  groupAdmin: "group_admin",
  policyHolder: "policy_holder",
  brokerage: "group_admin",
}

interface Measurement extends Call {
  reader: Reader
  p50: number
  p95: number
  work: number
  status: number
}

/**
 * Every read over HTTP on a large book, for each kind of reader; then the members' list against a bare route. `--small`
 * uses a tenth of the book, `--anew` rebuilds it, `--only=claims` filters procedures, `--as=brokerage` readers,
 * `--rounds=3` sets repetitions. `--pages` measures only the bare-route comparison, `--searches` only broad member
 * searches.
 */
export const lists: Bench = {
  name: "lists",
  async run(say, flags) {
    const book = await openBook(say, flags.has("small") ? "small" : "large", { anew: flags.has("anew") })
    try {
      return await measure(book, say, flags)
    } finally {
      await book.close()
    }
  },
}

async function measure(book: Book, say: (line: string) => void, flags: Map<string, string>): Promise<Measured[]> {
  const only = flags.get("only") ?? ""
  const isPart = flags.has("pages") || flags.has("searches")
  const isAll = !only && !isPart && !flags.has("as")
  const rounds = Number(flags.get("rounds") ?? defaultRounds)
  const who = (Object.keys(readers) as Reader[]).filter((reader) => (flags.get("as") ?? reader) === reader)
  const samples = await loadSamples(book)
  const server = await startServer(book, "product")
  try {
    const taken: Measurement[] = []
    for (const reader of isPart ? [] : who) {
      const mine = await measureReader(server, book, samples, { reader, only, rounds })
      report(reader, mine, say)
      taken.push(...mine)
    }
    writeFileSync(join(book.folder, "lists.json"), JSON.stringify(taken, null, 1))
    const broken = taken.filter(({ status }) => ![200, 404, 409].includes(status))
    requireTrue(
      broken.length === 0,
      `every call is answered: ${broken[0]?.procedure} ${broken[0]?.asked} ${broken[0]?.status}`,
    )
    return [
      ...(isAll || flags.has("searches") ? await measureHandWrittenSearches(book, server, samples) : []),
      ...(isAll || flags.has("pages") ? await measureThroughput(book, server, say) : []),
    ]
  } finally {
    await server.stop()
  }
}

async function measureReader(
  server: { url: string; pid: number },
  book: Book,
  samples: Samples,
  { reader, only, rounds }: { reader: Reader; only: string; rounds: number },
): Promise<Measurement[]> {
  const person = await signIn(server.url, readers[reader])
  const mayCall = ({ permission }: Call) =>
    permission === "session" || permission === "public" || hasPermission(roles[reader], permission)
  const taken: Measurement[] = []
  for (const call of allCalls(await loadReaderSamples(book, samples, reader))) {
    if (call.procedure.startsWith(only) && mayCall(call) && isInBook(call)) {
      taken.push({
        reader,
        ...(await measureCall(person, call, rounds, () => processorTime(server.pid, book.postmaster()))),
      })
    }
  }
  return taken
}

const isInBook = ({ input }: Call) =>
  Object.entries(input as object).every(([name, value]) => !name.endsWith("Id") || value !== undefined)

async function measureCall(
  person: Person,
  call: Call,
  rounds: number,
  worked: () => number,
): Promise<Omit<Measurement, "reader">> {
  const once = async () => {
    const from = performance.now()
    const { status } = await person.call(call.procedure, call.input)
    return { ms: performance.now() - from, status }
  }
  const first = await once()
  const times = first.ms > 2_000 ? [first.ms] : []
  const count = first.ms > 2_000 ? 0 : first.ms > 400 ? Math.min(3, rounds) : rounds
  const from = worked()
  for (let round = 0; round < count; round++) times.push((await once()).ms)
  const work = count > 0 ? (worked() - from) / count : first.ms
  return { ...call, p50: median(times), p95: percentile95(times), work, status: first.status }
}

/** Lists calls over the limit by elapsed and CPU time, because on a busy machine calls mostly wait. */
function report(reader: Reader, taken: Measurement[], say: (line: string) => void): void {
  const limitOf = ({ isList, procedure }: Call) =>
    procedure === "reports.rows" ? limitMs.report : isList ? limitMs.list : limitMs.page
  const slow = taken
    .filter((call) => Math.max(call.p95, call.work) > limitOf(call))
    .sort((one, other) => other.work - one.work)
  const heavy = slow.filter((call) => call.work > limitOf(call))
  say(`${reader}: ${taken.length} kinds of call, p95 of ${slow.length} over the limit, CPU time of ${heavy.length}`)
  for (const call of slow) {
    const figures = `CPU ${Math.round(call.work)}  p50 ${Math.round(call.p50)}  p95 ${Math.round(call.p95)} ms`
    say(`  ${call.work > limitOf(call) ? "!" : " "} ${call.procedure}: ${call.asked || "default"}  ${figures}`)
  }
}

const responderNames = {
  ours: "ours",
  bare: "a bare route",
  known: "a route that looks up the caller",
  counted: "a route that looks up the caller and counts the tabs",
}

/**
 * Pages of 50 members per second at concurrency ten, against three bare routes: without session, with session, and with
 * tab counts. No compression.
 */
async function measureThroughput(book: Book, server: Server, say: (line: string) => void): Promise<Measured[]> {
  const bare = await startServer(book, "bare")
  try {
    const manager = await signIn(server.url, readers.manager)
    const caller = new Person(bare.url, manager.cookie)
    const ways = {
      ours: [server, () => manager.call("members.list", { pageSize: 50 })],
      bare: [bare, () => caller.post("/members", {})],
      known: [bare, () => caller.post("/known/members", {})],
      counted: [bare, () => caller.post("/counted/members", {})],
    } satisfies Record<string, [Server, () => Promise<{ status: number }>]>
    const names = Object.keys(ways) as (keyof typeof ways)[]
    const taken = {
      ours: [] as ThroughputSample[],
      bare: [] as ThroughputSample[],
      known: [] as ThroughputSample[],
      counted: [] as ThroughputSample[],
    }
    for (let round = 0; round <= 8; round++) {
      for (const name of names) {
        const [{ pid }, ask] = ways[name]
        const paged = await samplePageThroughput(
          ask,
          () => processorTime(pid, book.postmaster()),
          round > 0 ? 1_500 : 6_000,
        )
        if (round > 0) taken[name].push(paged)
      }
      if (round > 0) say(names.map((name) => `${name} ${formatThroughput(taken[name].at(-1)!)}`).join(", "))
    }
    const middle = (name: keyof typeof ways, of: keyof ThroughputSample) =>
      median(taken[name].map((paged) => paged[of]))
    const work = (name: keyof typeof ways) => ({
      what: `CPU time of a page on ${responderNames[name]}, relative to ours`,
      value: middle(name, "work") / middle("ours", "work"),
      unit: "",
    })
    return (["bare", "known", "counted"] as const).map((name) => ({
      what: "a page of 50 members, ten concurrent clients",
      ours: 1_000 / middle("ours", "rate"),
      reference: 1_000 / middle(name, "rate"),
      unit: "ms",
      against: `${responderNames[name]}, on Fastify and pg, with the same rows`,
      atMost: 1 / 0.7,
      also: [work(name)],
    }))
  } finally {
    await bare.stop()
  }
}

interface ThroughputSample {
  rate: number
  work: number
}
const formatThroughput = ({ rate, work }: ThroughputSample): string =>
  `${Math.round(rate)} a second (work ${work.toFixed(2)} ms)`

async function samplePageThroughput(
  ask: () => Promise<{ status: number }>,
  worked: () => number,
  ms: number,
): Promise<ThroughputSample> {
  const from = performance.now()
  const workedBefore = worked()
  let answers = 0
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (performance.now() - from < ms) {
        requireTrue((await ask()).status === 200, "a page is answered")
        answers += 1
      }
    }),
  )
  return {
    rate: (answers * 1_000) / (performance.now() - from),
    work: (worked() - workedBefore) / answers,
  }
}
