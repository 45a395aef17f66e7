import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { setTimeout as pause } from "node:timers/promises"
import { crc32, deflateRawSync } from "node:zlib"
import * as XLSX from "@e965/xlsx"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { isLuhnValid } from "@milkwood/domain/kernel/za-id-number"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import type pg from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import pino from "pino"
import readWorkbook from "read-excel-file/node"
import { serverEnvironment, serverFlags } from "../scripts/node.mjs"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import type { UserActor } from "../server/src/platform/calls/actor.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { createDraftPolicy } from "../server/src/policies/policies.samples.ts"
import { reactions } from "../server/src/reactions.ts"
import { router } from "../server/src/router.ts"
import { migrate } from "../server/src/runtime/migrate.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { createZip } from "../server/src/staff-lists/hostile-lists.samples.ts"
import type { Client } from "../server/src/test/app.ts"
import { type Bench, type Measured, measureMs, requireTrue, runAlternately } from "./measure.ts"

const importedRowCount = 100_000

/**
 * The import over HTTP: upload, row checks, stored preview and commit. The reference is one COPY of the same prepared
 * rows into the same empty table with the same indexes.
 */
export const importMembers: Bench = {
  name: "import-members",
  async run(say, flags) {
    const postgres = await startTestPostgres({ durable: true })
    const folder = await mkdtemp(join(tmpdir(), "milkwood-bench-"))
    try {
      await migrate(postgres.url)
      return await measure(postgres.url, folder, say, flags)
    } finally {
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(
  url: string,
  folder: string,
  say: (line: string) => void,
  flags: Map<string, string>,
): Promise<Measured[]> {
  const rounds = Number(flags.get("rounds") ?? 5)
  const only = flags.get("only")
  const actor: UserActor = {
    kind: "user",
    userId: randomUUID(),
    name: "Max Manager",
    email: "max@example.test",
    role: "manager",
    groupIds: [],
  }
  const database = new Database(url, { maxConnections: 4 })
  const owner = database.direct("owner")
  await owner.run(sql`
    insert into users (id, name, email, email_verified, role, created_at, updated_at)
    values (${actor.userId}, ${actor.name}, ${actor.email}, true, 'manager', now(), now())`)
  const app = new App({
    reactions,
    jobs,
    database,
    clock: systemClock,
    files: new FileStore(join(folder, "files")),
    log: pino({ level: "silent" }),
    publicUrl: "http://127.0.0.1:3000",
  })
  const client = createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }) as Client
  const draft = await createDraftPolicy(client, { groupName: "Bench" })
  const listed = createStaffListRows()
  const csv = Buffer.from(`${listed.map((cells) => cells.join(",")).join("\r\n")}\r\n`)
  const xlsx = createWorkbook(listed)
  const size = (file: Buffer) => `${(file.length / 1024 / 1024).toFixed(1)} MB`
  say(`a list of ${importedRowCount} members, ${size(csv)} as CSV, ${size(xlsx)} as .xlsx`)

  const server = fork(join(import.meta.dirname, "import-members.process.ts"), [url, folder, JSON.stringify(actor)], {
    env: { ...serverEnvironment, ...process.env },
    execArgv: [...serverFlags, "--import", new URL("../server/src/runtime/tuning.ts", import.meta.url).href],
  })
  const [address] = (await once(server, "message")) as [string]
  let rows: Buffer | undefined
  const empty = async () => {
    await owner.client.query(`
      set local session_replication_role = replica;
      truncate members, staff_list_rows cascade`)
    await owner.client.query("checkpoint")
  }
  const memory = async () => {
    server.send("memory")
    const [[atRest, most, readers]] = (await once(server, "message")) as [[number, number, number]]
    return [
      { what: "peak memory of the server's process", value: most, unit: "MB", atMost: 300 },
      { what: "peak memory of its reader processes", value: readers, unit: "MB", atMost: 300 },
      { what: "memory of the server's process before the first import", value: atRest, unit: "MB" },
    ]
  }
  const partsOf = (parts: Record<string, number>) =>
    Object.entries(parts)
      .map(([name, part]) => `${name} ${Math.round(part)}`)
      .join(", ")
  const fromCsv = async (): Promise<Measured> => {
    const taken = await runAlternately(
      rounds,
      async () => {
        await empty()
        const parts: Record<string, number> = {}
        const ms = await measureMs(async () =>
          importRows(client, await uploadAndCheck(client, address, draft.id, "csv", csv, parts), parts),
        )
        say(`import ${Math.round(ms)} ms: ${partsOf(parts)}`)
        const stored = await owner.row<{ members: number; people: number; numbers: number }>(
          sql`select count(*) as members, count(distinct id_number) as people, count(distinct number) as numbers from members`,
        )
        requireTrue(
          stored!.members === importedRowCount &&
            stored!.people === importedRowCount &&
            stored!.numbers === importedRowCount,
          "every person is a member once",
        )
        rows ??= await copyRowsOut(database)
        return ms
      },
      async () => {
        await empty()
        const ms = await measureMs(() => copyRowsIn(database, rows!))
        say(`COPY ${Math.round(ms)} ms`)
        return ms
      },
    )
    return {
      what: `import of ${importedRowCount} members, uploaded, validated, deduplicated, previewed and written`,
      ...taken,
      unit: "ms",
      against: "COPY of the same rows into the same table",
      atMost: 3,
      also: await memory(),
    }
  }
  const fromXlsx = async (): Promise<Measured> => {
    const taken = await runAlternately(
      rounds,
      async () => {
        await empty()
        const parts: Record<string, number> = {}
        const ms = await measureMs(() => uploadAndCheck(client, address, draft.id, "xlsx", xlsx, parts))
        say(`.xlsx ${Math.round(ms)} ms: ${partsOf(parts)}`)
        return ms
      },
      async () => {
        const ms = await measureMs(async () => {
          const [sheet] = await readWorkbook(xlsx)
          requireTrue(sheet!.data.length === importedRowCount + 1, "every row is read")
        })
        say(`read in ${Math.round(ms)} ms`)
        return ms
      },
    )
    return {
      what: `.xlsx of ${importedRowCount} members, uploaded, read, validated, deduplicated and previewed`,
      ...taken,
      unit: "ms",
      against: "reading the file with read-excel-file",
      atMost: 2.5,
      also: await memory(),
    }
  }
  try {
    const measured: Measured[] = []
    if (only !== "csv") measured.push(await fromXlsx())
    if (only !== "xlsx") measured.push(await fromCsv())
    return measured
  } finally {
    server.send("stop")
    await once(server, "exit")
    await database.close()
  }
}

async function waitForListStatus(
  { staffLists }: Client,
  importId: string,
  wanted: StaffListDetail["status"],
): Promise<StaffListDetail> {
  for (;;) {
    const found = await staffLists.detail({ importId })
    if (found.status === wanted) return found
    if (found.status === "failed") throw new Error(found.failure ?? "the import failed")
    await pause(20)
  }
}

async function uploadAndCheck(
  client: Client,
  address: string,
  policyId: string,
  extension: string,
  file: Buffer,
  parts: Record<string, number>,
): Promise<StaffListDetail> {
  const { staffLists } = client
  let importId = ""
  let found: StaffListDetail | undefined
  parts.upload = await measureMs(async () => {
    const form = new FormData()
    form.append("policyId", policyId)
    form.append("file", new Blob([new Uint8Array(file)]), `staff.${extension}`)
    const sent = await fetch(`${address}/api/members/imports`, { method: "POST", body: form })
    if (!sent.ok) throw new Error(await sent.text())
    importId = ((await sent.json()) as { importId: string }).importId
  })
  parts.check = await measureMs(async () => {
    const { version, mapping } = await staffLists.detail({ importId })
    await staffLists.check({ importId, version, mapping })
    found = await waitForListStatus(client, importId, "ready")
  })
  requireTrue(found!.counts.joiner === importedRowCount && found!.counts.error === 0, "every row is ready")
  return found!
}

async function importRows(client: Client, list: StaffListDetail, parts: Record<string, number>): Promise<void> {
  const { id: importId, version } = list
  parts.write = await measureMs(async () => {
    await client.staffLists.import({ importId, version, idempotencyKey: randomUUID() })
    await waitForListStatus(client, importId, "completed")
  })
}

const columns = `id, group_id, policy_id, number, first_name, last_name, id_number, passport_number, email, phone, address,
  date_of_birth, gender, employment_status, employer, job_title, tier_id, status, start_on, to_complete, created_at, updated_at`

async function copyRowsOut(database: Database): Promise<Buffer> {
  const client = await database.pool("owner").connect()
  try {
    const parts: Buffer[] = []
    for await (const part of client.query(copyTo(`copy (select ${columns} from members order by number) to stdout`)))
      parts.push(part as Buffer)
    return Buffer.concat(parts)
  } finally {
    client.release()
  }
}

async function copyRowsIn(database: Database, rows: Buffer): Promise<void> {
  const client: pg.PoolClient = await database.pool("jobs").connect()
  try {
    const stream = client.query(copyFrom(`copy members (${columns}) from stdin`))
    stream.end(rows)
    await finished(stream)
  } finally {
    client.release()
  }
}

function createStaffListRows(): string[][] {
  const first = ["Thabo", "Lerato", "Pieter", "Ayesha", "Sipho", "Karin", "Nomvula", "Johan", "Zanele", "Rajesh"]
  const last = [
    "Nkosi",
    "Botha",
    "Müller",
    "Naidoo",
    "van der Merwe",
    "Dlamini",
    "O'Reilly",
    "Mokoena",
    "Smith",
    "Khumalo",
    "Adams",
  ]
  const tiers = ["Standard", "Silver", "Gold", "Platinum"]
  const titles = "First Name,Last Name,ID Number,Email,Date of Birth,Gender,Benefit Tier,Start Date,Group Policy"
  const lines = [titles.split(",")]
  for (let person = 0; person < importedRowCount; person++) {
    const born = addDays("1965-01-01", person % 10_000)
    const serial = String(5_000 + Math.floor(person / 10_000)).padStart(4, "0")
    const start = `${born.replaceAll("-", "").slice(2)}${serial}08`
    const digit = Array.from("0123456789").find((each) => isLuhnValid(start + each))!
    lines.push([
      first[person % 10]!,
      last[person % 11]!,
      start + digit,
      `p${person}@bench.example`,
      born,
      "Male",
      tiers[person % 4]!,
      "2026-09-01",
      "Bench",
    ])
  }
  return lines
}

function createWorkbook(lines: string[][]): Buffer {
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  const [titles, ...rows] = lines
  const cells = rows.map((row) => row.map((text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? day(text) : text)))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([titles!, ...cells], { dense: true, UTC: true }), "Staff")
  const written = XLSX.write(book, { type: "buffer", bookType: "xlsx", bookSST: true }) as Buffer
  const { FileIndex, FullPaths } = XLSX.CFB.read(written, { type: "buffer" }) as {
    FileIndex: { content?: Uint8Array }[]
    FullPaths: string[]
  }
  const parts = FileIndex.map(({ content }, index) => ({
    name: FullPaths[index]!.replace(/^Root Entry\//, ""),
    whole: Buffer.from(content ?? []),
  })).filter(({ name, whole }) => whole.length > 0 && !name.startsWith("\u0001"))
  return createZip(
    parts.map(({ name, whole }) => {
      return { name, content: deflateRawSync(whole), method: 8, size: whole.length, crc: crc32(whole) }
    }),
  )
}
