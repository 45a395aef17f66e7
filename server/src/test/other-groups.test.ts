import { randomUUID } from "node:crypto"
import { may, type PermissionName } from "@milkwood/domain/users/permission"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sentInvoice } from "../billing/billing.samples.ts"
import { type ClaimHouse, type ClaimScene, insureGroup, openClaimHouse } from "../claims/claim-scene.samples.ts"
import { approvedClaim, routedClaim } from "../claims/claims.samples.ts"
import { madePayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/actor.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { routes } from "../routes.ts"
import { boundProcedure, procedures, sampleInput } from "./procedures.ts"

/**
 * What belongs to another group does not exist: every procedure and route that a group's own people may call answers
 * the same to another group's ids as to ids that nobody has, and no list, count or search holds a row of it.
 */

let house: ClaimHouse
let own: ClaimScene
let other: ClaimScene
/** Ids of the other group's records, by the name that a contract gives them. */
let ids: Record<string, string>
let viewers: Record<"group_admin" | "policy_holder", UserActor>

beforeAll(async () => {
  house = await openClaimHouse()
  own = await insureGroup(house, "Own Works")
  other = await insureGroup(house, "Hidden Mills")
  const manager = house.as(house.people.manager)
  const { policyId } = other
  const invoice = await sentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const receipt = await recordedReceipt(manager, { policyId, amountCents: 100_00, receivedOn: "2026-10-05" })
  const claim = await routedClaim(other.cast, other.sample)
  const approved = await approvedClaim(other.cast, other.sample)
  const payout = await madePayout(manager, approved.id)
  ids = {
    groupId: other.groupId,
    policyId,
    memberId: other.memberId,
    claimId: claim.id,
    invoiceId: invoice.id,
    receiptId: receipt.id,
    payoutId: payout.id,
  }
  viewers = { group_admin: own.people.hr, policy_holder: own.people.signatory }
})
afterAll(() => house.close())

const answerOf = async (path: string, input: unknown, actor: UserActor) => {
  const context = {
    house: house.house,
    actor,
    requestId: randomUUID(),
    headers: new Headers(),
    answerHeaders: new Headers(),
  }
  return call(await boundProcedure(path), input, { context }).then(
    (answer: unknown) => ({ answer }),
    ({ code, status, message }: { code?: string; status?: number; message: string }) => ({ code, status, message }),
  )
}

const takesIds = procedures.filter(({ contract }) =>
  JSON.stringify(sampleInput(contract, (name) => `<${name}>`) ?? "").match(
    /<(group|policy|member|claim|invoice|receipt|payout)Id>/,
  ),
)

describe.each(["group_admin", "policy_holder"] as const)("for a %s", (role) => {
  test.each(
    takesIds.filter(({ meta }) => may(role, meta.permission as PermissionName)),
  )("$path answers to another group's id as to one that nobody has", async ({ path, contract }) => {
    const unknown = new Map<string, string>()
    const nobodys = (name: string): string => {
      if (!(name in ids)) return ids.policyId!
      if (!unknown.has(name)) unknown.set(name, randomUUID())
      return unknown.get(name)!
    }
    const there = await answerOf(
      path,
      sampleInput(contract, (name) => ids[name] ?? ids.policyId!),
      viewers[role],
    )
    const nowhere = await answerOf(path, sampleInput(contract, nobodys), viewers[role])
    expect(there).toEqual(nowhere)
    expect(JSON.stringify(there)).not.toContain("Hidden Mills")
  })

  test("no list, count, search or dashboard holds a row of it", async () => {
    const lists = procedures.filter(({ meta, contract }) => {
      const input = sampleInput(contract, (name) => `<${name}>`)
      return meta.kind === "read" && meta.permission !== "public" && !JSON.stringify(input ?? "").includes("<")
    })
    expect(lists.length).toBeGreaterThan(8)
    for (const { path, contract, meta } of lists) {
      if (meta.permission !== "session" && !may(role, meta.permission as PermissionName)) continue
      const said = JSON.stringify(await answerOf(path, sampleInput(contract), viewers[role]))
      for (const secret of ["Hidden Mills", ...Object.values(ids)]) expect(said, path).not.toContain(secret)
    }
    for (const text of ["Hidden", "Sipho", "CLM-2026", "INV-2026", "GP-2026", "M-0000"]) {
      const found = JSON.stringify(await house.as(viewers[role]).platform.search({ text }))
      for (const secret of ["Hidden Mills", ...Object.values(ids)]) expect(found).not.toContain(secret)
    }
  })
})

test("every upload and download answers to another group's ids as to ids that nobody has", async () => {
  const { url, headersOf } = await house.serve()
  for (const route of routes) {
    for (const actor of Object.values(viewers)) {
      const ask = async (fill: (name: string) => string): Promise<string> => {
        const address = url + route.path.replace(/:(\w+)/g, (_match, name: string) => fill(name))
        const answer = await fetch(address, { method: route.method, headers: headersOf(actor) })
        return `${answer.status} ${(await answer.text()).slice(0, 500)}`
      }
      expect(await ask((name) => ids[name] ?? randomUUID())).toBe(await ask(() => randomUUID()))
    }
  }
})

test("raw SQL without a scope finds nothing on any table of a group, and with one only that group's rows", async () => {
  const tables = await house.sql.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege('milkwood_scoped', c.oid, 'select')`)
  expect(tables.length).toBeGreaterThan(12)
  let filled = 0
  for (const { name } of tables) {
    const table = sql.identifier(name)
    const [{ rows } = { rows: 0 }] = await house.sql.rows<{ rows: number }>(
      sql`select count(*) as rows from ${table} where group_id is not null`,
    )
    if (rows > 0) filled++
    const without = await house.house.database
      .direct("scoped")
      .rows(sql`select from ${table} where group_id is not null`)
    expect(without, name).toEqual([])
    const within = await house.transaction(own.people.hr, ({ tx }) =>
      tx.rows<{ groupId: string }>(sql`select distinct group_id as "groupId" from ${table} where group_id is not null`),
    )
    for (const { groupId } of within) expect(groupId, name).toBe(own.groupId)
  }
  expect(filled).toBeGreaterThan(8)
})

test("a row never points across groups, whoever writes it", async () => {
  const staff = house.house.database.direct("staff")
  await expect(
    staff.run(sql`
      insert into dependents (id, group_id, member_id, first_name, last_name, relationship, created_at, updated_at)
      values (gen_random_uuid(), ${own.groupId}, ${other.memberId}, 'A', 'B', 'child', ${house.clock.now()}, ${house.clock.now()})`),
  ).rejects.toThrow(/foreign key/)
})
