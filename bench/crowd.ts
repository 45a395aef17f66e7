import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { sql } from "drizzle-orm"
import { Database } from "../server/src/platform/database/database.ts"
import { createWideXlsx } from "../server/src/staff-lists/hostile-lists.samples.ts"
import { type Book, openBook, readers } from "./book.ts"
import { type Bench, type Measured, percentile95, requireTrue } from "./measure.ts"
import { type Person, signIn, startServer } from "./server.ts"

const workingPeople = 20
const callers = { exports: 40, pdfs: 40, hostileLists: 20, stalledReaders: 20 }
/** Milliseconds of the quiet phase; the crowd phase lasts at least as long, until all callers are answered. */
const quietPhaseMs = 15_000
const crowdTimeoutMs = 330_000

/**
 * Response times of twenty working users: alone, and together with exports, PDFs, hostile lists and stalled readers.
 */
export const crowd: Bench = {
  name: "crowd",
  async run(say, flags) {
    const book = await openBook(say, flags.has("large") ? "large" : "small", { anew: flags.has("anew") })
    try {
      return [await measure(book, say)]
    } finally {
      await book.close()
    }
  },
}

async function measure(book: Book, say: (line: string) => void): Promise<Measured> {
  const { invoices, member, policy } = await targetsOf(book)
  const server = await startServer(book, "product")
  try {
    const { admin, manager, underwriter, groupAdmin, brokerage } = readers
    const emails = [admin, manager, underwriter, groupAdmin, brokerage]
    const sessions = async (many: number) => {
      const people: Person[] = []
      for (let nth = 0; nth < many; nth++) people.push(await signIn(server.url, emails[nth % emails.length]!))
      return people
    }
    const people = await sessions(workingPeople)
    const crowding = await sessions(emails.length)
    const someone = (nth: number, among = crowding.length) => crowding[nth % among]!

    const alone = await keepWorking(people, member, () => pause(quietPhaseMs))
    const memory = {
      before: readProcessMegabytes(server.pid),
      usedBefore: usedMegabytes(await server.memory()),
      most: 0,
    }
    const watching = setInterval(() => {
      memory.most = Math.max(memory.most, readProcessMegabytes(server.pid))
    }, 500)

    const outcomes = new Map<string, number>()
    const count = (what: string, status: number | string) =>
      outcomes.set(`${what} ${status}`, (outcomes.get(`${what} ${status}`) ?? 0) + 1)
    const many = (times: number, what: string, ask: (nth: number) => Promise<number | string>) =>
      Array.from({ length: times }, (_, nth) => ({
        at: nth / times,
        ask: async () => count(what, await ask(nth)),
      }))
    const stalled: Socket[] = []
    const crowded = await keepWorking(people, member, async () => {
      const all = [
        ...many(callers.stalledReaders, "stalled", (nth) => stallDownload(server.url, someone(nth), stalled)),
        ...many(callers.exports, "export", (nth) => downloadFully(server.url, "/api/members.csv", someone(nth))),
        ...many(callers.pdfs, "PDF", (nth) =>
          downloadFully(server.url, `/api/invoices/${invoices[nth % invoices.length]}/pdf`, someone(nth, 3)),
        ),
        ...many(callers.hostileLists, "list", (nth) => uploadHostileList(server.url, policy, nth, someone(nth, 2))),
      ]
      const asked = all.sort((one, other) => one.at - other.at).map(({ ask }) => ask())
      await Promise.race([
        Promise.all([...asked, pause(quietPhaseMs)]),
        pause(crowdTimeoutMs, undefined, { ref: false }),
      ])
    })
    for (const socket of stalled) socket.destroy()
    clearInterval(watching)
    for (const [outcome, times] of [...outcomes].sort()) say(`${outcome}: ${times}`)
    say(`${alone.times.length} calls of the 20 users alone, ${crowded.times.length} beside the crowd`)

    const expected = new Set(["200", "422", "429", "reading nothing"])
    const wrong = [...outcomes.keys()].filter((key) => !expected.has(key.split(" ").slice(1).join(" ")))
    requireTrue(wrong.length === 0, `the crowd is answered, or refused in a sentence (${wrong})`)
    requireTrue(alone.failed + crowded.failed === 0, `those who work are never refused (${crowded.failed} were)`)
    requireTrue((await fetch(`${server.url}/api/ready`)).status === 200, "the server takes work afterwards")
    await pause(10_000)
    const after = readProcessMegabytes(server.pid)
    await pause(50_000)
    const later = readProcessMegabytes(server.pid)
    const { rss, heapTotal, ...rest } = await server.memory()
    const usedAfter = usedMegabytes({ rss, heapTotal, ...rest })
    return {
      what: "95th percentile of users' calls beside the crowd",
      ours: percentile95(crowded.times),
      reference: percentile95(alone.times),
      unit: "ms",
      against: "the same calls without the crowd",
      atMost: 3,
      also: [
        { what: "95th percentile beside the crowd", value: percentile95(crowded.times), unit: "ms", atMost: 500 },
        { what: "longest call", value: Math.max(...crowded.times), unit: "ms" },
        { what: "memory of the server's process before the crowd", value: memory.before, unit: "MB" },
        { what: "… peak", value: memory.most, unit: "MB" },
        { what: "… ten seconds after", value: after, unit: "MB", atMost: 300 },
        { what: "… a minute after", value: later, unit: "MB", atMost: 300 },
        { what: "heap in use before, after a garbage collection", value: memory.usedBefore, unit: "MB" },
        { what: "resident memory then, after a garbage collection", value: rss / 1024 / 1024, unit: "MB" },
        { what: "… V8's heap", value: heapTotal / 1024 / 1024, unit: "MB" },
        {
          what: "heap in use a minute later, after a garbage collection",
          value: usedAfter,
          unit: "MB",
          atMost: memory.usedBefore + 30,
        },
      ],
    }
  } finally {
    await server.stop()
    await deleteCrowdViews(book)
  }
}

export async function keepWorking(people: Person[], memberId: string, during: () => Promise<unknown>) {
  const times: number[] = []
  let failed = 0
  let isOver = false
  const calls = (nth: number): [string, unknown][] => [
    ["members.list", {}],
    ["members.detail", { memberId }],
    ["reports.search", { text: "nko" }],
    ["policies.list", {}],
    ["users.views.save", { list: "members", name: `Crowd ${nth}`, address: { search: "a" }, columns: null }],
  ]
  const all = people.map(async (person, nth) => {
    for (let turn = nth; !isOver; turn++) {
      const mine = calls(nth)
      const [procedure, input] = mine[turn % mine.length]!
      const from = performance.now()
      const { status } = await person.call(procedure, input)
      times.push(performance.now() - from)
      if (status !== 200 && status !== 404) failed += 1
      await pause(400)
    }
  })
  await during()
  isOver = true
  await Promise.all(all)
  return { times, failed }
}

async function downloadFully(url: string, path: string, person: Person): Promise<number | string> {
  try {
    const answer = await fetch(url + path, { headers: { cookie: person.cookie } })
    return await outcomeOf(answer)
  } catch {
    return "broken off"
  }
}

async function uploadHostileList(url: string, policyId: string, nth: number, person: Person): Promise<number | string> {
  const body = new FormData()
  body.set("policyId", policyId)
  const address = ["ZZZZZZ2", "XFE2", "A1048577"][nth % 3]!
  body.set("file", new Blob([new Uint8Array(createWideXlsx(address))]), "staff.xlsx")
  const headers = { cookie: person.cookie }
  return outcomeOf(await fetch(`${url}/api/members/imports`, { method: "POST", headers, body }))
}

async function outcomeOf(answer: Response): Promise<number> {
  for await (const _ of answer.body ?? []) {
  }
  return answer.status
}

async function stallDownload(url: string, person: Person, stalled: Socket[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {})
  stalled.push(socket)
  await once(socket, "connect")
  socket.write(`GET /api/members.csv HTTP/1.1\r\nhost: localhost\r\ncookie: ${person.cookie}\r\n\r\n`)
  return "reading nothing"
}

const usedMegabytes = ({ heapUsed, external }: NodeJS.MemoryUsage): number => (heapUsed + external) / 1024 / 1024

export const readProcessMegabytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024

export async function targetsOf(book: Book) {
  const database = new Database(book.url)
  try {
    const owner = database.direct("owner")
    const invoices = await owner.rows<{ id: string }>(sql`
      select i.id from invoices i join invoice_lines l on l.invoice_id = i.id
      where i.pdf_file_id is null group by i.id having count(*) <= 3000
      order by count(*) desc, i.id limit ${callers.pdfs}`)
    requireTrue(invoices.length > 0, "the book has invoices without a PDF")
    const member = await owner.row<{ id: string }>(
      sql`select id from members where status = 'Active' order by id limit 1`,
    )
    const policy = await owner.row<{ id: string }>(sql`
      select id from policies where status = 'Active' order by number limit 1`)
    return { invoices: invoices.map(({ id }) => id), member: member!.id, policy: policy!.id }
  } finally {
    await database.close()
  }
}

export async function deleteCrowdViews(book: Book): Promise<void> {
  const database = new Database(book.url)
  await database.direct("owner").run(sql`delete from saved_views where name like 'Crowd %'`)
  await database.close()
}
