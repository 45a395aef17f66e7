import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { may, type Role } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { demoPassword } from "../server/src/demo/cast.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { type Book, openBook, type Reader, readers } from "./book.ts"
import { allCalls, type Call, type Samples } from "./list-calls.ts"
import { type Bench, type Measured, median, must, percentile95 } from "./measure.ts"

/** What a person waits at most, in milliseconds at the 95th percentile. */
const limits = { list: 100, page: 150 }
/** How often each call is made, after a first one that warms it up; slow ones less. */
const rounds = 12

const roles: Record<Reader, Role> = {
  admin: "admin",
  manager: "manager",
  underwriter: "underwriter",
  groupAdmin: "group_admin",
  policyHolder: "policy_holder",
  brokerage: "group_admin",
}

interface Taken extends Call {
  reader: Reader
  p50: number
  p95: number
  status: number
}

/**
 * Every list, tab, sort, filter, search, count, detail and report over HTTP on a large book, as each kind of reader;
 * then the members' list beside a bare route with the same rows. `--small` takes a tenth of the book, `--anew` makes
 * it again, `--only=claims` asks only procedures of that beginning.
 */
export const lists: Bench = {
  name: "lists",
  async run(say, flags) {
    const book = await openBook(say, { small: flags.has("small"), anew: flags.has("anew") })
    try {
      return await measure(book, say, flags)
    } finally {
      await book.close()
    }
  },
}

async function measure(book: Book, say: (line: string) => void, flags: Map<string, string>): Promise<Measured[]> {
  const only = flags.get("only") ?? ""
  const samples = await samplesOf(book)
  const server = await start(book, "product")
  try {
    const taken: Taken[] = []
    for (const reader of Object.keys(readers) as Reader[]) {
      const mine = await ask(server.url, book, samples, reader, only)
      report(reader, mine, say)
      taken.push(...mine)
    }
    writeFileSync(join(book.folder, "lists.json"), JSON.stringify(taken, null, 1))
    const broken = taken.filter(({ status }) => ![200, 404, 409].includes(status))
    must(
      broken.length === 0,
      `every call is answered: ${broken[0]?.procedure} ${broken[0]?.asked} ${broken[0]?.status}`,
    )
    return only ? [] : [await throughput(book, server.url, say)]
  } finally {
    await server.stop()
  }
}

/** Every call that this reader may make. */
async function ask(url: string, book: Book, samples: Samples, reader: Reader, only: string): Promise<Taken[]> {
  const person = await signIn(url, readers[reader])
  const mayCall = ({ permission }: Call) =>
    permission === "session" || permission === "public" || may(roles[reader], permission)
  const taken: Taken[] = []
  for (const call of allCalls(await samplesFor(book, samples, reader))) {
    if (call.procedure.startsWith(only) && mayCall(call)) taken.push(await take(person, call, reader))
  }
  return taken
}

/** Calls once to warm up, then as often as its time allows. */
async function take(person: Person, call: Call, reader: Reader): Promise<Taken> {
  const once = async () => {
    const from = performance.now()
    const { status } = await person.call(call.procedure, call.input)
    return { ms: performance.now() - from, status }
  }
  const first = await once()
  const times = first.ms > 2_000 ? [first.ms] : []
  const count = first.ms > 2_000 ? 0 : first.ms > 400 ? 3 : rounds
  for (let round = 0; round < count; round++) times.push((await once()).ms)
  return { ...call, reader, p50: median(times), p95: percentile95(times), status: first.status }
}

function report(reader: Reader, taken: Taken[], say: (line: string) => void): void {
  const slow = taken
    .filter((call) => call.p95 > (call.isList ? limits.list : limits.page))
    .sort((one, other) => other.p95 - one.p95)
  say(`${reader}: ${taken.length} kinds of call, ${slow.length} over the limit`)
  for (const call of slow) {
    say(`  ${call.procedure}: ${call.asked || "as it is"}  p50 ${Math.round(call.p50)}  p95 ${Math.round(call.p95)} ms`)
  }
}

/** What the calls ask for: usual records first, those of the largest group last. */
async function samplesOf(book: Book): Promise<Samples> {
  const database = new Database(book.url)
  try {
    const owner = database.direct("owner")
    const one = async (query: ReturnType<typeof sql>) => (await owner.row<{ id: string }>(query))!.id
    const { usual, largest } = (await owner.row<{ usual: string; largest: string }>(sql`
      with sized as (select policy_id, count(*) as size from members where status <> 'Pending' group by policy_id order by size desc)
      select (select policy_id from sized offset 100 limit 1) as usual, (select policy_id from sized limit 1) as largest`))!
    const ofBoth = async (query: (policyId: string) => ReturnType<typeof sql>) => [
      await one(query(usual)),
      await one(query(largest)),
    ]
    const person = (await owner.row<{ name: string; number: string; idNumber: string; email: string }>(sql`
      select lower(first_name || ' ' || last_name) as name, number, id_number as "idNumber", email
      from members where policy_id = ${largest} and status = 'Active' order by id limit 1`))!
    return {
      today: Temporal.Now.plainDateISO("UTC").toString(),
      ids: {
        policyId: [usual, largest],
        groupId: await ofBoth((id) => sql`select group_id as id from policies where id = ${id}`),
        memberId: await ofBoth((id) => sql`select id from members where policy_id = ${id} order by number limit 1`),
        claimId: await ofBoth((id) => sql`select id from claims where policy_id = ${id} and status = 'paid' limit 1`),
        invoiceId: await ofBoth(
          (id) =>
            sql`select id from invoices where policy_id = ${id} and status = 'sent' order by invoice_on desc limit 1`,
        ),
        receiptId: await ofBoth((id) => sql`select id from receipts where policy_id = ${id} limit 1`),
        payoutId: await ofBoth((id) => sql`select id from payouts where policy_id = ${id} limit 1`),
        importId: [await one(sql`select id from staff_lists where policy_id = ${largest}`)],
        mailId: [await one(sql`select id from mails limit 1`)],
        entryId: [await one(sql`select id from ledger_entries limit 1`)],
        tierId: [await one(sql`select id from benefit_tiers limit 1`)],
        account: ["bank", "premium_debtors"],
        jobId: [],
      },
      searches: {
        name: person.name,
        "first letters": person.name.slice(0, 4),
        "common name": "nkosi",
        "member number": person.number,
        "part of an ID number": person.idNumber.slice(2, 10),
        "ID number": person.idNumber,
        "e-mail": person.email,
        group: "protea",
        "number of a claim": `clm-${new Date().getFullYear()}-0012`,
        nothing: "no such thing",
      },
    }
  } finally {
    await database.close()
  }
}

/** Somebody of many groups asks for records of theirs. */
async function samplesFor(book: Book, samples: Samples, reader: Reader): Promise<Samples> {
  if (reader !== "brokerage") return samples
  const database = new Database(book.url)
  try {
    const owner = database.direct("owner")
    const groups = (
      await owner.rows<{ id: string }>(sql`
        select g.group_id as id from user_groups g join users u on u.id = g.user_id
        where u.email = ${readers.brokerage} order by (select count(*) from members m where m.group_id = g.group_id)`)
    ).map(({ id }) => id)
    const usual = groups[Math.floor(groups.length / 2)]!
    const largest = groups.at(-1)!
    const policy = async (groupId: string) =>
      (await owner.row<{ id: string }>(sql`select id from policies where group_id = ${groupId} limit 1`))!.id
    return {
      ...samples,
      ids: { ...samples.ids, groupId: [usual, largest], policyId: [await policy(usual), await policy(largest)] },
    }
  } finally {
    await database.close()
  }
}

/** Pages of 50 members a second, in turns with the bare route. */
async function throughput(book: Book, url: string, say: (line: string) => void): Promise<Measured> {
  const bare = await start(book, "bare")
  try {
    const manager = await signIn(url, readers.manager)
    const nobody = new Person(bare.url, "")
    const rates = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < 3; round++) {
      rates.ours.push(await rate(() => manager.call("members.list", { pageSize: 50 })))
      rates.bare.push(await rate(() => nobody.post("/members", {})))
      say(`members' pages a second: ${Math.round(rates.ours.at(-1)!)}, bare ${Math.round(rates.bare.at(-1)!)}`)
    }
    return {
      what: "a page of 50 members, ten asking at once",
      ours: 1_000 / median(rates.ours),
      reference: 1_000 / median(rates.bare),
      unit: "ms",
      against: "a bare Fastify and pg route with the same rows",
      // At least 70 % of its throughput.
      atMost: 1 / 0.7,
    }
  } finally {
    await bare.stop()
  }
}

/** Answers a second over four seconds, ten asking at once. */
async function rate(ask: () => Promise<{ status: number }>): Promise<number> {
  const from = performance.now()
  let answers = 0
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (performance.now() - from < 4_000) {
        must((await ask()).status === 200, "a page is answered")
        answers += 1
      }
    }),
  )
  return (answers * 1_000) / (performance.now() - from)
}

/** The server of a process of its own. */
export async function start(book: Book, kind: "product" | "bare") {
  const child: ChildProcess = fork(join(import.meta.dirname, "lists.process.ts"), [book.url, book.folder, kind], {
    // As the product is started: run.ts.
    execArgv: ["--expose-gc", "--import", new URL("../server/src/runtime/tuning.ts", import.meta.url).href],
  })
  const [url] = (await once(child, "message")) as [string]
  return {
    url,
    pid: child.pid!,
    /** Its memory, after a collection. */
    async memory(): Promise<NodeJS.MemoryUsage> {
      child.send("memory")
      return (await once(child, "message"))[0]
    },
    async stop() {
      child.send("stop")
      await once(child, "exit")
    },
  }
}

export async function signIn(url: string, email: string): Promise<Person> {
  const { status, cookies } = await new Person(url, "").call("users.signIn", { email, password: demoPassword })
  must(status === 200, `${email} signs in`)
  return new Person(url, cookies.map((cookie) => cookie.split(";")[0]).join("; "))
}

const agent = new Agent({ keepAlive: true, maxSockets: 50 })

/** Somebody who calls the server, with the cookie of their session. */
export class Person {
  readonly #url: string
  readonly cookie: string

  constructor(url: string, cookie: string) {
    this.#url = url
    this.cookie = cookie
  }

  call(procedure: string, input: unknown) {
    return this.post(`/rpc/${procedure.replaceAll(".", "/")}`, { json: input })
  }

  post(path: string, body: unknown): Promise<{ status: number; cookies: string[] }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookies: string[] }>()
    const headers = { "content-type": "application/json", ...(this.cookie ? { cookie: this.cookie } : {}) }
    const sent = request(`${this.#url}${path}`, { method: "POST", agent, headers }, (answer) => {
      answer.resume()
      answer.on("end", () => resolve({ status: answer.statusCode!, cookies: answer.headers["set-cookie"] ?? [] }))
      answer.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(JSON.stringify(body))
    return promise
  }
}
