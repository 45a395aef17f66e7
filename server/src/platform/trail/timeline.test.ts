import { timelinePageSize } from "@milkwood/domain/platform/timeline"
import type { TimelineEntry } from "@milkwood/domain/platform/timeline-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../../claims/claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Trail Dairy")
})
afterAll(() => app.close())

const recordTestFact = (kind: string, id: string) =>
  app.sql.run(sql`
    insert into audit_log (at, actor_name, actor_role, request_id, fact, record_kind, record_id, record_label, group_id, detail)
    select now(), 'Max Manager', 'underwriter', 'test', 'ClaimUpdated', ${kind}, ${id}, 'label', ${scene.groupId},
      '{"after": {"diagnosis": "what only few may read", "incidentOn": "2026-10-01"}}'
    from generate_series(1, 60)`)

async function readPages(ask: (before?: number) => Promise<TimelineEntry[]>): Promise<TimelineEntry[][]> {
  const read = [await ask()]
  while (read.at(-1)!.length === timelinePageSize) read.push(await ask(read.at(-1)!.at(-1)!.id))
  return read
}

test("a long history pages through each entry once, even while entries are added", async () => {
  const manager = app.as(app.people.manager)
  const { policyId } = scene
  await recordTestFact("policy", policyId)
  const { rows } = {
    rows: await app.sql.rows<{ id: number }>(sql`
    select id from audit_log where record_kind = 'policy' and record_id = ${policyId} order by id desc`),
  }
  const read = await readPages(async (before) => {
    const page = await manager.policies.activity({ policyId, before })
    if (before === undefined) await recordTestFact("policy", policyId)
    return page
  })
  expect(read.map(({ length }) => length).slice(0, 2)).toEqual([timelinePageSize, timelinePageSize])
  expect(read.flat().map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
})

test("older pages of a claim hide medical fields, and each history requires its own permission", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await recordTestFact("claim", claim.id)
  const { underwriter } = app.people
  const { signatory } = scene.people
  const ofReader = (who: typeof signatory) =>
    readPages((before) => app.as(who).claims.activity({ claimId: claim.id, before })).then((read) => read.flat())
  const seen = (entries: TimelineEntry[]) =>
    entries.filter(({ changes }) => changes.some(({ field }) => field === "diagnosis"))
  expect(seen(await ofReader(underwriter)).length).toBeGreaterThanOrEqual(60)
  expect(await ofReader(signatory)).toHaveLength((await ofReader(underwriter)).length)
  expect(seen(await ofReader(signatory))).toEqual([])

  const manager = app.as(app.people.manager)
  const sample = { policyId: scene.policyId, invoiceOn: "2026-08-01" }
  const draft = await createDraftInvoice(manager, { ...sample, month: "2026-07-01" })
  const sent = await createSentInvoice(manager, { ...sample, month: "2026-08-01" })
  const hr = app.as(scene.people.hr)
  expect(await hr.billing.activity({ invoiceId: sent.id })).toEqual(
    (await hr.billing.detail({ invoiceId: sent.id })).timeline,
  )
  await expect(hr.billing.activity({ invoiceId: draft.id })).rejects.toMatchObject({ code: "NOT_FOUND" })
})
