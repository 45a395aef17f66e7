import { randomUUID } from "node:crypto"
import { isMailTemplate, type MailTemplateName, mailTemplates } from "@milkwood/domain/settings/mail-templates"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createRejectedClaim, createSubmittedClaim } from "../claims/claims.samples.ts"
import { mailImmediateNotices } from "../notifications/mail-notices.ts"
import { startJob } from "../platform/work/jobs.ts"
import type { TestApp } from "../test/app.ts"

type TemplateText = { subject: string; text: string }

async function editTemplate(app: TestApp, name: MailTemplateName, words?: TemplateText): Promise<TemplateText> {
  const fields = Object.keys(mailTemplates[name].fields)
  const own = words ?? {
    subject: `Our own ${name}`,
    text: `<b>Sawubona</b>\n\n${fields.map((field) => `${field}=[{${field}}]`).join("\n")}`,
  }
  const client = app.as(app.people.admin).settings
  const { version, settings } = await client.detail()
  await client.save({ version, settings: { ...settings, [name]: own } })
  return own
}

async function readPlaceholders(app: TestApp, name: MailTemplateName): Promise<Record<string, string>> {
  const mails = (await app.mails()).filter(({ subject }) => subject.endsWith(`Our own ${name}`))
  const { text } = mails.at(-1)!
  expect(text).toMatch(/^<b>Sawubona<\/b>\n\n/)
  const said = [...text.matchAll(/^(\w+)=\[([\s\S]*?)\]$/gm)].map(([, field, value]) => [field!, value!])
  expect(said.map(([field]) => field).sort()).toEqual(Object.keys(mailTemplates[name].fields).sort())
  return Object.fromEntries(said)
}
const normalizeSpaces = (text: string | undefined) => text?.replaceAll("\u00a0", " ")

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; data: { fields: unknown } }
}

describe("the edited template is used for", () => {
  let claims: ClaimApp
  let billing: BillingApp
  beforeAll(async () => {
    claims = await openClaimApp()
    billing = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  })
  afterAll(async () => {
    await claims.close()
    await billing.close()
  })

  it("the invitation mail uses the edited template", async () => {
    await editTemplate(claims, "invitationMail")
    const { link } = await claims.as(claims.people.admin).users.invite({ email: "new@example.test", role: "manager" })
    expect(await readPlaceholders(claims, "invitationMail")).toMatchObject({
      invitedBy: "Ada Admin",
      role: "manager",
      link,
    })
    // The outbox stores the text without the link.
    const kept = await claims.sql.row<{ text: string }>(
      sql`select text_body as text from mails where to_address = 'new@example.test'`,
    )
    expect(kept!.text).not.toContain(new URL(link).hash)
  })

  it("the invoice mail uses the edited template", async () => {
    await editTemplate(billing, "invoiceMail")
    const { id } = await billing.policy({ premiumCents: 1_000_00 })
    const invoice = await createSentInvoice(billing.manager, {
      policyId: id,
      month: "2026-09-01",
      invoiceOn: "2026-09-01",
    })
    const said = await readPlaceholders(billing, "invoiceMail")
    expect(said).toMatchObject({ number: invoice.number, contact: "Thandi Mokoena" })
    expect(normalizeSpaces(said.total)).toBe("R 1 150,00")
    expect(said.payment).toContain(`Please use ${invoice.number} as your payment reference`)
  })

  it("a premium reminder uses the edited template, sent directly or edited first", async () => {
    const own = await editTemplate(billing, "reminderMail")
    const { id } = await billing.policy({ premiumCents: 1_000_00 })
    await createSentInvoice(billing.manager, { policyId: id, month: "2026-09-01", invoiceOn: "2026-09-01" })
    expect(await billing.manager.collection.reminderText()).toEqual(own)
    const draft = await billing.manager.collection.mailDraft({ policyId: id, kind: "reminder" })
    expect(normalizeSpaces(draft.text)).toContain("outstanding=[R 1 150,00]")
    await billing.manager.collection.remind({ policyIds: [id], idempotencyKey: randomUUID(), ...own })
    await billing.runJobs()
    expect(normalizeSpaces((await readPlaceholders(billing, "reminderMail")).outstanding)).toBe("R 1 150,00")
  })

  it("the grace notice uses the edited template", async () => {
    await editTemplate(billing, "graceNoticeMail")
    const { id } = await billing.policy({ premiumCents: 1_000_00 })
    await createSentInvoice(billing.manager, { policyId: id, month: "2026-09-01", invoiceOn: "2026-09-01" })
    const { subject, text } = await billing.manager.collection.mailDraft({ policyId: id, kind: "notice" })
    await billing.manager.collection.sendNotice({ policyId: id, idempotencyKey: randomUUID(), subject, text })
    await billing.runJobs()
    expect((await readPlaceholders(billing, "graceNoticeMail")).coverUntil).toMatch(/^2026-\d\d-\d\d$/)
  })

  it("the policy expiry warning uses the edited template", async () => {
    await editTemplate(billing, "policyExpiryMail")
    const { number } = await billing.policy({ endOn: "2026-11-20" })
    await billing.transaction(billing.people.admin, (cx) =>
      startJob(cx, { kind: "policies.expiryWarnings", label: "Policy expiry warnings", payload: {} }),
    )
    await billing.runJobs()
    expect(await readPlaceholders(billing, "policyExpiryMail")).toMatchObject({
      ...{ policy: number, contact: "Thandi Mokoena", endsOn: "2026-11-20", days: "in 18 days" },
    })
  })

  it("the document request and the claim decision use the edited templates", async () => {
    const scene = await insureGroup(claims, "Template Tailors")
    await editTemplate(claims, "documentsRequestedMail")
    await editTemplate(claims, "claimDecisionMail")
    const asked = await createSubmittedClaim(scene.cast, scene.sample)
    await scene.cast.manager.claims.requestDocuments({
      ...{ claimId: asked.id, version: asked.version, documents: ["hospital_bill"], note: "{name} <i>please</i>" },
    })
    expect(await readPlaceholders(claims, "documentsRequestedMail")).toMatchObject({
      claim: asked.number,
      documents: "- Hospital bill",
      // Braces in typed text are not replaced.
      note: "{name} <i>please</i>",
      link: `http://127.0.0.1:3000/claims/${asked.id}`,
    })
    const decided = await createRejectedClaim(scene.cast, scene.sample)
    await mailImmediateNotices(claims.app)
    expect(await readPlaceholders(claims, "claimDecisionMail")).toMatchObject({
      claim: decided.number,
      outcome: "rejected",
    })
  })

  it("the scheduled report's mail uses the edited template", async () => {
    await editTemplate(claims, "scheduleMail")
    const manager = claims.as(claims.people.manager)
    const schedule = await manager.reports.createSchedule({
      ...{ name: "Register", report: "member_register", format: "csv", type: "monthly", hour: 9, dayOfMonth: 1 },
      ...{ recipients: [claims.people.manager.email], idempotencyKey: randomUUID() },
    })
    await manager.reports.runSchedule({ scheduleId: schedule.id, isTest: true, idempotencyKey: randomUUID() })
    await claims.runJobs()
    expect(await readPlaceholders(claims, "scheduleMail")).toMatchObject({
      schedule: "Register",
      notes: "This is a test: only you received it.",
    })
  })

  it("these tests cover every template", () => {
    // When you add a template, add a test that its text is used.
    expect(Object.keys(mailTemplates)).toEqual([
      ...["invitationMail", "invoiceMail", "reminderMail", "graceNoticeMail"],
      ...["policyExpiryMail", "documentsRequestedMail", "claimDecisionMail", "scheduleMail"],
    ])
  })
})

describe("a template", () => {
  let app: TestApp
  const settings = () => app.as(app.people.admin).settings
  beforeAll(async () => {
    app = await openClaimApp()
  })
  afterAll(() => app.close())

  it("refuses a template with an unknown or a missing required field, and names it", async () => {
    const words = { subject: "Hello {nobody}", text: "Come in." }
    const fields = [
      { path: "subject", message: "{nobody} is not a known placeholder" },
      { path: "text", message: "The text must contain {link}" },
    ]
    const at = (start: string) => fields.map((one) => ({ ...one, path: `${start}.${one.path}` }))
    expect(await refusalOf(editTemplate(app, "invitationMail", words))).toMatchObject({
      code: "INVALID",
      data: { fields: at("settings.invitationMail") },
    })
    const sent = settings().outbox.sendTemplate({ to: "a@example.test", template: "invitationMail", mail: words })
    expect(await refusalOf(sent)).toMatchObject({ code: "INVALID", data: { fields: at("mail") } })
    expect((await settings().detail()).settings.invitationMail).toEqual(mailTemplates.invitationMail.initial)
  })

  it("a test mail uses the unsaved text and preview values", async () => {
    const mail = { subject: "Come to {house}", text: "Open {link}" }
    const sent = await settings().outbox.sendTemplate({ to: "a@example.test", template: "invitationMail", mail })
    expect(sent).toMatchObject({
      subject: "Test: Come to Milkwood at Umoya Benefits",
      text: "Open https://milkwood.example/accept-invitation#7Qd1vT",
      state: "kept",
      answer: null,
    })
    expect((await settings().detail()).settings.invitationMail).toEqual(mailTemplates.invitationMail.initial)
  })

  it("changes of a template are recorded with both texts, and a reset restores the default", async () => {
    const own = await editTemplate(app, "scheduleMail")
    const last = () =>
      app.sql.row<{ fact: string; detail: { before: object; after: object } }>(
        sql`select fact, detail from audit_log where record_kind = 'settings' order by id desc limit 1`,
      )
    const { initial } = mailTemplates.scheduleMail
    expect(await last()).toMatchObject({
      fact: "SettingsSaved",
      detail: { before: { scheduleMail: initial }, after: { scheduleMail: own } },
    })
    const { version } = await settings().detail()
    await settings().reset({ version })
    expect((await settings().detail()).settings.scheduleMail).toEqual(initial)
    expect(await last()).toMatchObject({ fact: "SettingsReset", detail: { after: { scheduleMail: initial } } })
  })

  it("only administrators read and change it", async () => {
    const mail = mailTemplates.scheduleMail.initial
    const ask = () =>
      app.as(app.people.manager).settings.outbox.sendTemplate({ to: "a@example.test", template: "scheduleMail", mail })
    expect((await refusalOf(ask())).code).toBe("FORBIDDEN")
    expect(isMailTemplate("toString")).toBe(false)
  })
})
