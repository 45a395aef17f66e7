import { randomUUID } from "node:crypto"
import type { DocumentRule } from "@milkwood/domain/claims/required-documents"
import type { LetterKind } from "@milkwood/domain/letters/letter"
import type { LetterPreview } from "@milkwood/domain/letters/letter-shape"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim, createRejectedClaim, createSubmittedClaim } from "../claims/claims.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { normalizeSpaces, readPdfPages } from "../test/pdf-text.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Letter Works")
  server = await app.serve()
  const { version, contact } = await managerClient().members.detail({ memberId: scene.memberId })
  await managerClient().members.update({
    ...{ memberId: scene.memberId, version },
    contact: { ...contact, email: "sipho@example.test", address: "12 Protea Street\nSoweto\n1804" },
  })
})
afterAll(() => app.close())

const managerClient = () => app.as(app.people.manager)
const adminClient = () => app.as(app.people.admin)

interface AskedLetter {
  kind: LetterKind
  recordId: string
  payoutId?: string | null
  note?: string
  addressee?: string
}

async function writeLetter(asked: AskedLetter, to: string | null = null) {
  const preview = await managerClient().letters.preview(asked)
  const mail = to === null ? null : { ...preview.mail, to }
  const written = await createLetter(asked, preview, mail)
  return { ...written, preview, letter: written.letters.find(({ id }) => id === written.letterId)! }
}

const createLetter = (asked: AskedLetter, { fingerprint }: LetterPreview, mail: LetterPreview["mail"] | null = null) =>
  managerClient().letters.create({ ...asked, fingerprint, mail, idempotencyKey: randomUUID() })

async function download(letterId: string, as: UserActor) {
  const answer = await fetch(`${server.url}/api/letters/${letterId}/pdf`, { headers: server.headersOf(as) })
  return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

const pdfText = async (letterId: string) =>
  normalizeSpaces((await readPdfPages((await download(letterId, app.people.manager)).bytes)).join(" "))

const textOf = ({ wording }: Pick<LetterPreview, "wording">) =>
  normalizeSpaces(
    wording.blocks
      .map((block) =>
        "text" in block ? block.text : block.rows.map(({ label, value }) => `${label} ${value}`).join(" "),
      )
      .join(" "),
  )

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; data?: { fields?: unknown } }
}

const rule = { claimType: "medical" as const, benefitId: null, dependentsOnly: false, aboveCents: null }

async function requireDocuments(requiredDocuments: DocumentRule[]): Promise<void> {
  const { version, settings } = await adminClient().settings.detail()
  await adminClient().settings.save({ version, settings: { ...settings, requiredDocuments } })
}

describe("a letter about a claim", () => {
  test("is stored with wording, template version and PDF, and is listed", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    expect((await managerClient().letters.list({ record: "claim", recordId: claim.id })).choices).toEqual([
      { kind: "claim_received", payoutId: null, label: "Claim received" },
    ])
    const { letter, preview } = await writeLetter({ kind: "claim_received", recordId: claim.id, note: "Call us." })
    expect(letter).toMatchObject({
      number: expect.stringMatching(/^LTR-2026-\d{6}$/),
      templateVersion: 0,
      wording: preview.wording,
      writtenBy: app.people.manager.name,
      mails: [],
    })
    const text = await pdfText(letter.id)
    expect(text).toContain("Sipho Dlamini 12 Protea Street Soweto 1804")
    expect(text).toContain(claim.number)
    expect(text).toContain("within 10 working days")
    expect(text).toContain("Call us.")
    expect(text).toContain(normalizeSpaces(textOf(preview)).slice(0, 60))
  })

  test("about a member's death is addressed to the family, by letter and mail", async () => {
    const claim = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
    const { wording, mail } = await managerClient().letters.preview({ kind: "claim_received", recordId: claim.id })
    expect(wording.addressee[0]).toBe("The family of Sipho Dlamini")
    expect(wording.blocks[0]).toEqual({ text: "Dear family of Sipho Dlamini" })
    expect(mail.text).toMatch(/^Dear family of Sipho Dlamini\n/)
  })

  test("about missing documents names the requested and the required ones", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { version } = await managerClient().claims.startReview({ claimId: claim.id, version: claim.version })
    await managerClient().claims.requestDocuments({ claimId: claim.id, version, documents: ["police_report"] })
    await requireDocuments([{ ...rule, anyOf: ["medical_report", "hospital_bill"] }])
    const preview = await managerClient().letters.preview({ kind: "claim_documents", recordId: claim.id })
    await requireDocuments([])
    expect(textOf(preview)).toContain("- Police report - Medical report or Hospital bill")
  })

  test("about an approval prints a working that adds up to the approved amount, also after later claims", async () => {
    const memberId = scene.secondMemberId
    const claim = await createApprovedClaim(scene.cast, {
      ...scene.sample,
      memberId,
      ...{ requestedAmountCents: 50_000_00, incidentOn: "2026-10-20" },
    })
    const asked = { kind: "claim_approved", recordId: claim.id } as const
    const before = await managerClient().letters.preview(asked)
    await createApprovedClaim(scene.cast, { ...scene.sample, memberId, requestedAmountCents: 30_000_00 })
    const after = await managerClient().letters.preview(asked)
    expect(after.wording).toEqual(before.wording)
    const rows = after.wording.blocks.flatMap((block) => ("rows" in block ? block.rows : []))
    const cents = (value: string) => Number(value.replace(/[^\d−-]/g, "").replace("−", "-"))
    const amounts = rows.filter(({ value }) => value !== "")
    expect(amounts.at(-1)).toMatchObject({ label: "Approved amount", isTotal: true })
    expect(amounts.slice(0, -1).reduce((sum, { value }) => sum + cents(value), 0)).toBe(cents(amounts.at(-1)!.value))
    expect(cents(amounts.at(-1)!.value)).toBe(claim.approvedAmountCents)
    expect(rows.some(({ value }) => value === "")).toBe(true)
  })

  test("about a rejection states the reason, how to object, the ombud and the time for legal action", async () => {
    const claim = await createRejectedClaim(scene.cast, scene.sample)
    const { letter } = await writeLetter({ kind: "claim_rejected", recordId: claim.id })
    const text = await pdfText(letter.id)
    expect(text).toContain("The condition existed before cover began")
    expect(text).toContain("within 90 days")
    expect(text).toContain("National Financial Ombud Scheme")
    expect(text).toMatch(/6 months/)
  })

  test("about a payment goes to its payee, without the full account number", async () => {
    const claim = await createApprovedClaim(scene.cast, scene.sample)
    await createCompletedPayout(managerClient(), adminClient(), claim.id, "2026-11-02")
    const { choices } = await managerClient().letters.list({ record: "claim", recordId: claim.id })
    const { payoutId, kind } = choices.find((choice) => choice.kind === "payment_advice")!
    const { preview } = await writeLetter({ kind, recordId: claim.id, payoutId })
    expect(textOf(preview)).toMatch(/Paid to .* Amount paid/)
    const { number } = (await app.sql.row<{ number: string }>(sql`
      select payee_account_number as number from payouts where id = ${payoutId}`))!
    expect(textOf(preview)).not.toContain(number)
  })

  test("is refused if the claim's status does not allow it", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const asked = managerClient().letters.preview({ kind: "claim_approved", recordId: claim.id })
    expect((await refusalOf(asked)).code).toBe("NOT_POSSIBLE")
    const unknown = managerClient().letters.preview({ kind: "claim_approved", recordId: randomUUID() })
    expect((await refusalOf(unknown)).code).toBe("NOT_FOUND")
  })
})

describe("a letter", () => {
  test("is not written if template or claim changed since the preview", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const asked = { kind: "claim_received", recordId: claim.id } as const
    const preview = await managerClient().letters.preview(asked)
    const templates = adminClient().letters.templates
    const row = (await templates.list()).find(({ kind }) => kind === "claim_received")!
    const template = { title: "Thank you", text: `Claim {reference} is here.\n\n{note}` }
    const saved = await templates.save({ kind: row.kind, version: row.version, template })
    expect(saved).toMatchObject({ ...template, version: row.version + 1, isDefault: false })
    expect((await refusalOf(createLetter(asked, preview))).code).toBe("WORDING_CHANGED")
    const { letter } = await writeLetter(asked)
    expect(letter).toMatchObject({
      templateVersion: saved.version,
      wording: { title: "Thank you", blocks: [{ text: `Claim ${claim.number} is here.` }] },
    })
    const again = await templates.reset({ kind: row.kind, version: saved.version })
    expect(again).toMatchObject({ title: row.title, text: row.text, version: saved.version + 1, isDefault: true })
    expect((await refusalOf(templates.reset({ kind: row.kind, version: saved.version }))).code).toBe("STALE")

    const changed = await managerClient().letters.preview(asked)
    await managerClient().members.update({
      memberId: scene.memberId,
      version: (await managerClient().members.detail({ memberId: scene.memberId })).version,
      personal: {
        ...(await managerClient().members.detail({ memberId: scene.memberId })).personal,
        firstName: "Siphiwe",
      },
    })
    expect((await refusalOf(createLetter(asked, changed))).code).toBe("WORDING_CHANGED")
  })

  test("is written once, whether or not the call is repeated", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const asked = { kind: "claim_received", recordId: claim.id } as const
    const { fingerprint } = await managerClient().letters.preview(asked)
    const input = { ...asked, fingerprint, mail: null, idempotencyKey: randomUUID() }
    const [one, two] = await Promise.all([managerClient().letters.create(input), managerClient().letters.create(input)])
    expect(two.letterId).toBe(one.letterId)
    expect((await managerClient().letters.list({ record: "claim", recordId: claim.id })).letters).toHaveLength(1)
  })

  test("cannot be changed or deleted by any role", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { letter } = await writeLetter({ kind: "claim_received", recordId: claim.id }, "kin@example.test")
    for (const change of [
      sql`update letters set number = 'LTR-1' where id = ${letter.id}`,
      sql`update letters set wording = null, file_id = null where id = ${letter.id}`,
      sql`delete from letters where id = ${letter.id}`,
      sql`update letter_mails set to_address = 'x' where letter_id = ${letter.id}`,
      sql`delete from letter_mails where letter_id = ${letter.id}`,
      sql`update letter_templates set text = 'x'`,
      sql`delete from files where id = (select file_id from letters where id = ${letter.id})`,
    ])
      await expect(app.sql.run(change)).rejects.toThrow()
  })

  test("is mailed with its PDF and listed with recipient and sender, and the mail contains no wording", async () => {
    const claim = await createRejectedClaim(scene.cast, scene.sample)
    const { letter } = await writeLetter({ kind: "claim_rejected", recordId: claim.id }, "kin@example.test")
    const sent = await managerClient().letters.send({
      letterId: letter.id,
      mail: { to: "aunt@example.test", subject: "Your letter", text: "Attached." },
      idempotencyKey: randomUUID(),
    })
    const found = sent.letters.find(({ id }) => id === letter.id)!
    expect(found.mails.map(({ to, sentBy }) => [to, sentBy]).sort()).toEqual([
      ["aunt@example.test", app.people.manager.name],
      ["kin@example.test", app.people.manager.name],
    ])
    const mails = await app.sql.rows<{ to: string; text: string; fileId: string; name: string }>(sql`
      select to_address as "to", text_body as text, attachments -> 0 ->> 'fileId' as "fileId", attachments -> 0 ->> 'name' as name
      from mails where about_id = ${letter.id}`)
    expect(mails).toHaveLength(2)
    const stored = await app.sql.row<{ fileId: string }>(sql`
      select file_id as "fileId" from letters where id = ${letter.id}`)
    for (const mail of mails) {
      expect(mail).toMatchObject({ fileId: stored!.fileId, name: `${letter.number}.pdf` })
      expect(mail.text).not.toContain("condition")
    }
  })

  test("about a claim is not mailed to an address of the employer", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const purposes = ["claims" as const]
    const values = { name: "Con", position: "", email: "con@example.test", phone: "", cell: "", purposes }
    await app.as(app.people.manager).employers.contacts.add({ groupId: scene.groupId, values })
    const addresses = ["CON@example.test", "aunt@example.test, con@example.test"]
    for (const to of ["Thandi@example.test", scene.people.hr.email, scene.people.signatory.email, ...addresses])
      expect((await refusalOf(writeLetter({ kind: "claim_received", recordId: claim.id }, to))).code).toBe(
        "EMPLOYER_ADDRESS",
      )
    const { letters } = await managerClient().letters.list({ record: "claim", recordId: claim.id })
    expect(letters).toEqual([])
  })

  test("is not available to employers' users, by contract, download and database role", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { letter } = await writeLetter({ kind: "claim_received", recordId: claim.id })
    for (const person of [scene.people.hr, scene.people.signatory]) {
      const list = app.as(person).letters.list({ record: "claim", recordId: claim.id })
      expect((await refusalOf(list)).code).toBe("FORBIDDEN")
      expect((await download(letter.id, person)).status).toBe(403)
      await app.transaction(person, async ({ tx }) => {
        expect(await tx.rows(sql`select 1 from files where kind = 'letter'`)).toEqual([])
      })
      for (const table of ["letters", "letter_mails", "letter_templates"])
        await expect(
          app.transaction(person, ({ tx }) => tx.rows(sql`select 1 from ${sql.identifier(table)}`)),
        ).rejects.toThrow()
    }
    expect((await download(randomUUID(), app.people.manager)).status).toBe(404)
  })
})

describe("a template", () => {
  test("is refused with unknown and missing placeholders, by name, and previewed with samples", async () => {
    const templates = adminClient().letters.templates
    const wrong = { title: "To {nobody}", text: "Hello {toString}" }
    for (const call of [
      () => templates.save({ kind: "claim_documents", version: 0, template: wrong }),
      () => templates.preview({ kind: "claim_documents", template: wrong }),
    ])
      expect(await refusalOf(call())).toMatchObject({
        code: "INVALID",
        data: {
          fields: [
            { path: "template.title", message: "{nobody} is not a known placeholder" },
            { path: "template.text", message: "{toString} is not a known placeholder" },
            { path: "template.text", message: "The text must contain {reference}" },
            { path: "template.text", message: "The text must contain {documents}" },
          ],
        },
      })
    for (const { kind, title, text } of await templates.list()) {
      const sample = await templates.preview({ kind, template: { title, text } })
      expect(JSON.stringify(sample)).not.toMatch(/\{\w+\}/)
    }
  })

  test("is only for administrators", async () => {
    expect((await refusalOf(managerClient().letters.templates.list())).code).toBe("FORBIDDEN")
  })
})

describe("letters to members and employers", () => {
  test("a confirmation of cover and a joining certificate list the insured people and their cover", async () => {
    const { memberId } = scene
    const { version } = await managerClient().members.detail({ memberId })
    const spouse = {
      firstName: "Nomsa",
      lastName: "Dlamini",
      relationship: "spouse",
      dateOfBirth: "1990-01-01",
    } as const
    await managerClient().members.update({
      ...{ memberId, version },
      dependents: [{ ...spouse, idNumber: null, gender: null }],
    })
    const cover = textOf(await managerClient().letters.preview({ kind: "cover_confirmation", recordId: memberId }))
    expect(cover).toMatch(/Dlamini \(member\) .*Hospital benefit/)
    expect(cover).toMatch(/Nomsa Dlamini \(spouse\)/)
    const { letter, preview } = await writeLetter({ kind: "joining_certificate", recordId: memberId })
    expect(textOf(preview)).toMatch(/Nomsa Dlamini \(spouse\) since/)
    expect(await pdfText(letter.id)).toContain("2026-01-01")
    const { letters } = await managerClient().letters.list({ record: "member", recordId: memberId })
    expect(letters.map(({ kind }) => kind)).toEqual(["joining_certificate"])
  })

  test("a policy schedule contains no medical fact and no name of a member", async () => {
    const medical = {
      description: "Planted description",
      diagnosis: "Planted diagnosis",
      hospitalName: "Planted hospital",
      doctorName: "Planted doctor",
      treatmentDetails: "Planted treatment",
      billNumber: "Planted bill",
    }
    const claim = await createRejectedClaim(scene.cast, { ...scene.sample, ...medical })
    await managerClient().claims.addNote({
      claimId: claim.id,
      idempotencyKey: randomUUID(),
      note: {
        kind: "note",
        direction: null,
        person: "",
        contact: "",
        text: "Planted note",
        happenedOn: null,
        followUpOn: null,
      },
    })
    const { letter, preview } = await writeLetter(
      { kind: "policy_schedule", recordId: scene.policyId },
      "thandi@example.test",
    )
    expect(letter.mails.map(({ to }) => to)).toEqual(["thandi@example.test"])
    const text = await pdfText(letter.id)
    expect(text).toContain("Letter Works")
    expect(text).toContain("Group Health")
    for (const said of [text, JSON.stringify(preview)]) {
      expect(said).not.toMatch(/planted/i)
      expect(said).not.toContain("Dlamini")
      expect(said).not.toContain("condition existed")
    }
  })
})
