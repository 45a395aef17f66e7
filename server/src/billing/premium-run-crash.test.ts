import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { systemClock } from "../platform/clock.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { RealServer } from "../test/real-server.ts"

/* Kills server and database while a run waits in a given trigger after a given number of policies. Policies run three
   at a time until one gets its number. `POINTS=20` tries 20 points. */

const places = ["writing", "noting", "committing", "numbering", "listing", "telling", "approving"]
const points = [1, 0, 2]
  .flatMap((made) => places.map((place) => ({ place, made })))
  .slice(0, Number(process.env.POINTS ?? 3))

let server: RealServer
let productTypeId: string

beforeAll(async () => {
  server = await RealServer.started(
    `create table made_before as select 1 as n, 0 as earlier;
    create trigger numbering before update on number_counters for each row when (new.kind = 'invoice') execute function stand_still('numbering');
    create trigger writing before insert on invoices for each row execute function stand_still('writing');
    create trigger listing after insert on invoice_lines for each row execute function stand_still('listing');
    create trigger telling before insert on audit_log for each row when (new.fact = 'InvoiceGenerated') execute function stand_still('telling');
    create trigger approving before update on invoices for each row when (new.status = 'pending') execute function stand_still('approving');
    create trigger noting before update on billing_run_policies for each row when (new.state = 'made') execute function stand_still('noting');
    create constraint trigger committing after update on billing_run_policies deferrable initially deferred for each row
      when (new.state = 'made') execute function stand_still('committing');`,
    "(select count(*) from billing_run_policies where state = 'made') >= (select n + earlier from made_before)",
  )
  productTypeId = (await createSampleBenefits(server.client)).productTypes["Group Health"]!
}, 180_000)

afterAll(() => server.close())

const hasStatus = (runId: string, status: string) => async () =>
  (await server.client.billing.runs.detail({ runId })).status === status

async function createFivePolicies(name: string): Promise<string[]> {
  const ids: string[] = []
  for (const members of [1, 2, 3, 4, 5]) {
    const sample = { groupName: `${name} ${members}`, productTypeId, premiumCents: 350_00, members }
    ids.push((await createActivePolicy(server.client, { ...sample, startOn: readLastMonth() })).id)
  }
  return ids
}

const readLastMonth = () =>
  systemClock.now().toZonedDateTimeISO("UTC").toPlainDate().with({ day: 1 }).subtract({ months: 1 }).toString()

type Start = () => Promise<unknown>

/** `started` starts the run that it is given. */
async function makeRunInvoices(policyIds: string[], started: (start: Start) => Promise<unknown>) {
  const { runs } = server.client.billing
  const month = systemClock.now().toZonedDateTimeISO("UTC").toPlainDate().toString()
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds })
  await server.until(hasStatus(runId, "previewed"))
  const { version } = await runs.detail({ runId })
  await started(() => runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "pending" }))
  const waited = await server.until(hasStatus(runId, "made"))
  expect((await runs.detail({ runId })).counts).toMatchObject({ made: 5, parked: 0, waiting: 0 })
  const invoices = await server.owner.rows(sql`
    select i.kind, i.status, i.subtotal_cents as subtotal, i.total_cents as total, i.period_start_on::text as period,
      count(l.id) as lines, count(distinct (l.member_id, l.billed_month)) as months
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.policy_id = any (${sql.param(policyIds)}::uuid[]) group by i.id order by i.subtotal_cents`)
  return { waited, invoices }
}

test.each(points)("a run killed while $place after $made policies resumes with identical invoices", async ({
  place,
  made,
}) => {
  const { owner } = server
  const calm = await makeRunInvoices(await createFivePolicies(`Calm ${place} ${made}`), (start) => start())
  expect(calm.invoices).toHaveLength(5)
  const policies = await createFivePolicies(`Hit ${place} ${made}`)
  await owner.run(sql`
    update made_before set n = ${made}, earlier = (select count(*) from billing_run_policies where state = 'made')`)
  const hit = await makeRunInvoices(policies, (start) => server.killedAt(place, "both", start))
  expect(hit.waited).toBeLessThan(60_000)
  expect(hit.invoices).toEqual(calm.invoices)
  const gaps = await owner.row<{ numbers: number; last: number }>(sql`
      select count(*) as numbers, max(right(number, 6)::int) as last from invoices`)
  expect(gaps!.numbers).toBe(gaps!.last)
}, 240_000)
