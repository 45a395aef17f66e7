import { randomUUID } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { sql } from "drizzle-orm"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, expect, test } from "vitest"
import { deliverMails } from "../platform/work/mail.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createPremiumRun } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

/** The mail server accepts one mail, then fails until restored. It rejects addresses that begin with "gone". */
const received: string[] = []
let isAway = false
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onMailFrom(_address, _session, done) {
    done(isAway ? Object.assign(new Error("Service not available"), { responseCode: 421 }) : null)
  },
  onRcptTo({ address }, _session, done) {
    if (!address.startsWith("gone")) return done()
    done(Object.assign(new Error("No such user here"), { responseCode: 550 }))
  },
  onData(stream, { envelope }, done) {
    stream.resume().on("end", () => {
      received.push(...envelope.rcptTo.map(({ address }) => address))
      isAway = received.length === 1
      done()
    })
  },
})

let app: BillingApp
beforeAll(async () => {
  mailServer.listen(0, "127.0.0.1")
  await once(mailServer.server, "listening")
  const { port } = mailServer.server.address() as AddressInfo
  app = await openBillingApp({ now: "2026-08-03T08:00:00Z", smtpUrl: `smtp://127.0.0.1:${port}` })
})
afterAll(async () => {
  await app.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

test("a mail outage while a run is sent neither loses nor duplicates mails", async () => {
  const addresses = ["first@a.example", "second@b.example", "gone@c.example", "fourth@d.example"]
  const policyIds: string[] = []
  for (const address of addresses) {
    const { id } = await app.policy({ startOn: "2026-08-01" })
    await app.sql.run(sql`update policies set contact_email = ${address} where id = ${id}`)
    policyIds.push(id)
  }
  const { runs } = app.manager.billing
  const made = await createPremiumRun(app, "2026-08-01", policyIds, "pending")
  const runId = made.id
  expect(made.counts).toMatchObject({ made: 4, unsent: 4 })

  await runs.send({ runId, version: made.version, idempotencyKey: randomUUID() })
  await Promise.all([app.runJobs(), deliverMails(app.app)])
  await deliverMails(app.app)
  expect(received).toHaveLength(1)
  // Sending the run does not wait for the mail server.
  expect((await runs.detail({ runId })).counts.unsent).toBe(0)
  const states = () =>
    app.sql.rows<{ to: string; state: string; invoice: string }>(sql`
      select m.to_address as "to", m.state, i.status as invoice from mails m join invoices i on i.id = m.about_id
      where i.policy_id = any (${sql.param(policyIds)}::uuid[]) order by m.to_address`)
  const stateOf = async (to: string) => (await states()).filter((mail) => mail.to === to)
  expect(await states()).toHaveLength(4)
  for (const to of addresses.filter((to) => !received.includes(to)))
    expect(await stateOf(to)).toEqual([{ to, state: "queued", invoice: "sent" }])

  isAway = false
  await app.sql.run(sql`update mails set next_attempt_at = clock_timestamp() where state = 'queued'`)
  received.push("one that does not send it away again")
  await deliverMails(app.app)
  expect(received.filter((to) => to.includes("@")).sort()).toEqual([
    "first@a.example",
    "fourth@d.example",
    "second@b.example",
  ])
  expect(await stateOf("gone@c.example")).toEqual([{ to: "gone@c.example", state: "failed", invoice: "sent" }])
  const undelivered = (await app.manager.billing.list({ policyId: policyIds[2]!, undelivered: true })).rows
  expect(undelivered).toMatchObject([{ mail: "failed" }])

  const { version: last } = await runs.detail({ runId })
  await expect(runs.send({ runId, version: last, idempotencyKey: randomUUID() })).rejects.toMatchObject({
    code: "NOTHING_TO_SEND",
  })
  await deliverMails(app.app)
  expect(received.filter((to) => to.includes("@"))).toHaveLength(3)
  expect(await verifyLedger(app.sql)).toEqual([])
})
