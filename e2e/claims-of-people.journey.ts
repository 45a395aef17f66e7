import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { NomineeInput } from "@milkwood/domain/members/nominations.contract"
import { expect, type Page, test } from "@playwright/test"
import { choose, clickNext, dialogOf, expectAccessible, formatRand, openPage, phone } from "./browser.ts"
import { approve, fillPayeeAccount, judgeClaim } from "./claims.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { addMember, approveStage, type Insurer, openInsurer, type Product } from "./insurer.ts"
import { readPdf, withSingleSpaces } from "./pdf.ts"

/** Claims as people make them: a member's death, a child's death, an appeal and a claim by phone. */

const incidentOn = "2026-10-20"
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Johannesburg" }).format(new Date())

let house = {} as Installation
let insurer = {} as Insurer
useOwnInstallation(
  (opened) => {
    house = opened
  },
  { withMail: false },
)
test.beforeAll(async ({ browser }) => {
  insurer = await openInsurer(browser, house, "Soweto Retail")
})

const insure = (product: Product, firstName: string, lastName: string, dependents: DependentInput[] = []) =>
  addMember(insurer.api.manager, {
    ...{ policyId: insurer.policies[product], tierId: insurer.tierId, name: [firstName, lastName], dependents },
  })

const nominate = (memberId: string, nominees: Partial<NomineeInput>[]) =>
  insurer.api.manager.members.nominations.record({
    ...{ memberId, fromOn: "2026-02-01" },
    nominees: nominees.map((nominee) => ({
      ...{ name: "", relationship: "spouse", idNumber: null, dateOfBirth: "1980-05-01" },
      ...{ phone: "", email: "", bank: "FNB", branchCode: "250655", accountNumber: "62001234567" },
      ...{ shareBasisPoints: 10_000, ...nominee },
    })),
  })

/** Goes through the steps of the form up to the documents. */
async function fillDeathClaim(
  page: Page,
  values: { member: string; insured?: RegExp; benefit: string; cents: number },
) {
  await page.goto("/claims/new")
  await choose(page, "Member", values.member, new RegExp(values.member))
  if (values.insured) await choose(page, "Insured person", "", values.insured)
  await clickNext(page)
  await choose(page, "Benefit", "", new RegExp(values.benefit))
  await expect(page.getByText("Once this claim is paid, cover of")).toBeVisible()
  await page.getByRole("textbox", { name: "Requested amount" }).fill(formatRand(values.cents))
  await clickNext(page)
  await page.getByRole("textbox", { name: "Incident date" }).fill(incidentOn)
  await choose(page, "Cause of death", "", "Accident")
  await page.getByRole("textbox", { name: "Description" }).fill("Died in a road accident")
  await clickNext(page)
}

async function attach(page: Page, type: string) {
  await choose(page, "Document type", type, type)
  const name = `${type}.pdf`
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: "application/pdf", buffer: Buffer.from(`%PDF-1.4\n% ${type}\n%%EOF\n`) })
  await expect(page.getByRole("list", { name: "Documents", exact: true }).getByText(name)).toBeVisible()
}

/** Submits the form and returns the address of the claim. */
async function submit(page: Page): Promise<string> {
  const title = await page.getByRole("heading", { level: 1, name: /CLM-/ }).textContent()
  const number = /CLM-[\d-]+/.exec(title!.replaceAll("\u2011", "-"))![0]
  await page.getByRole("button", { name: "Submit claim" }).click()
  await expect(page.getByText("Claim submitted successfully for approval")).toBeVisible()
  await page.getByRole("link", { name: number }).first().click()
  await expect(page).toHaveURL(/\/claims\/[0-9a-f-]{36}/)
  return new URL(page.url()).pathname
}

const lastPart = (path: string) => path.split("/").at(-1)!
const stepOf = ({ version }: { version: number }) => ({ version, idempotencyKey: randomUUID() })

const panel = (page: Page, name: string) =>
  page.getByRole("heading", { level: 2, name, exact: true }).locator("xpath=..")

async function recordPayees(page: Page, fill: (dialog: ReturnType<typeof dialogOf>) => Promise<void>) {
  await page.getByRole("button", { name: "Record payees" }).click()
  await fill(dialogOf(page))
  await dialogOf(page).getByRole("button", { name: "Save payees" }).click()
  await expect(dialogOf(page)).toBeHidden()
}

async function route(page: Page) {
  await page.getByRole("button", { name: "Route for approval" }).click()
  await dialogOf(page).getByRole("button", { name: "Route for approval" }).click()
  await expect(page.getByText("Pending group administrator").first()).toBeVisible()
}

async function preparePayments(page: Page, expected: readonly (readonly [payee: string, cents: number])[]) {
  await page.getByRole("button", { name: "Prepare payments" }).click()
  for (const [payee, cents] of expected) {
    await expect(dialogOf(page).getByRole("row").filter({ hasText: payee })).toContainText(formatRand(cents))
  }
  await expect(dialogOf(page).getByRole("row")).toHaveCount(expected.length)
  await dialogOf(page).getByRole("button", { name: "Prepare payments" }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(page.getByRole("link", { name: /^PAY-/ })).toHaveCount(expected.length)
  const links = await page.getByRole("link", { name: /^PAY-/ }).all()
  return Promise.all(links.map(async (link) => (await link.getAttribute("href"))!))
}

/** Writes a letter about the claim and returns the text of its PDF. */
async function writeLetter(page: Page, letter: RegExp): Promise<string> {
  const pdfs = page.getByRole("link", { name: /^Open PDF of / })
  const before = await pdfs.count()
  await page.getByRole("button", { name: "Write letter" }).click()
  await choose(page, "Letter", "", letter)
  await expect(page.getByRole("region", { name: "Preview" })).toBeVisible()
  await dialogOf(page).getByRole("button", { name: "Save letter" }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(pdfs).toHaveCount(before + 1)
  const answer = await page.request.get((await pdfs.first().getAttribute("href"))!)
  expect(answer.headers()["content-type"]).toBe("application/pdf")
  return readPdf(await answer.body())
}

const inPdf = (cents: number) => withSingleSpaces(formatRand(cents))

test("a member's death is paid to two nominees, one under 18, within the promised time", async () => {
  const { hr, hr2, underwriter, signatory, manager, admin } = insurer.pages
  const { id: memberId } = await insure("life", "Themba", "Zwane")
  await nominate(memberId, [
    { name: "Anna Zwane", shareBasisPoints: 6_667 },
    {
      ...{ name: "Ben Zwane", relationship: "child", dateOfBirth: "2015-03-02" },
      ...{ shareBasisPoints: 3_333, accountNumber: "62007654321" },
    },
  ])
  // 66.67 % and 33.33 % are 82 308,64… and 41 148,14…; the cent left over goes to the larger remainder.
  const cents = 123_456_79
  const shares = [
    ["Anna Zwane", 82_308_64],
    ["Cleo Zwane", 41_148_15],
  ] as const

  await fillDeathClaim(hr, { member: "Zwane", benefit: "Death benefit", cents })
  await attach(hr, "Death certificate")
  await attach(hr, "ID document")
  await expect(hr.getByRole("list", { name: "Required documents" }).getByText("Attached")).toHaveCount(2)
  await clickNext(hr)
  const claim = await submit(hr)
  await expect(panel(hr, "Summary")).toContainText("2 working days left")
  await expect(hr.getByText("Payees", { exact: true })).toHaveCount(0)

  await manager.goto(claim)
  await expect(panel(manager, "Summary")).toContainText("2 working days left")
  await recordPayees(manager, async (dialog) => {
    await dialog.getByRole("button", { name: "Save payees" }).click()
    await expect(dialog.getByText("Enter the guardian's name")).toBeVisible()
    await dialog.getByRole("textbox", { name: "Guardian’s name" }).fill("Cleo Zwane")
    await expectAccessible(manager)
  })
  await expect(panel(manager, "Payees")).toContainText("under 18 on the incident date; through a guardian, Cleo Zwane")
  await route(manager)

  const { rows } = await insurer.api.manager.reports.rows({ report: "turnaround", query: {} })
  const before = rows.find(({ stage }) => stage === turnaroundStage) ?? { kept: 0, missed: 0 }
  for (const [page, next] of [
    [hr2, "Pending underwriter"],
    [underwriter, "Pending policy holder"],
    [signatory, "Approved"],
  ] as const) {
    await page.goto(`${claim}/approve`)
    await judgeClaim(page, cents)
    await approve(page)
    await page.goto(claim)
    await expect(page.getByText(next, { exact: true }).first()).toBeVisible()
  }
  await manager.goto(claim)
  await expect(panel(manager, "Summary")).toContainText("Decided in 0 of 2 working days")

  const payments = await preparePayments(manager, shares)
  for (const payment of payments) {
    for (const step of ["Release payment", "Complete payment"]) {
      await admin.goto(payment)
      await admin.getByRole("button", { name: step }).click()
      await dialogOf(admin).getByRole("button", { name: step }).click()
      await expect(dialogOf(admin)).toBeHidden()
    }
    await expect(admin.getByText("Completed", { exact: true }).first()).toBeVisible()
  }
  await manager.goto(claim)
  await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()
  expect(await readPromises(manager)).toEqual({ kept: Number(before.kept) + 1, missed: Number(before.missed) })

  await manager.goto(`${claim}?tab=letters`)
  const approval = await writeLetter(manager, /^Claim approved$/)
  expect(approval).toContain("The family of Themba Zwane")
  expect(approval).toContain(`Approved amount ${inPdf(cents)}`)
  for (const [payee, amount] of shares) {
    const advice = await writeLetter(manager, new RegExp(`to ${payee}$`))
    expect(advice).toContain(`Paid to ${payee}`)
    expect(advice).toContain(`Amount paid ${inPdf(amount)}`)
  }
  await expectAccessible(manager)
})

const turnaroundStage = "Submission to decision"

async function readPromises(page: Page) {
  await page.goto("/reports/turnaround")
  const row = page.getByRole("row", { name: new RegExp(`^${turnaroundStage}`) })
  await expect(row).toBeVisible()
  const heads = await page.getByRole("columnheader").allInnerTexts()
  const cells = await row.getByRole("cell").allInnerTexts()
  const read = (name: string) => Number(cells[heads.findIndex((head) => head.trim() === name)])
  return { kept: read("Promise kept"), missed: read("Promise missed") }
}

test("the death of a member's child is paid to the member", async () => {
  const { hr, manager } = insurer.pages
  const { id: memberId } = await insure("life", "Zodwa", "Ngubane", [
    {
      ...{ firstName: "Musa", lastName: "Ngubane", relationship: "child", idNumber: null },
      ...{ dateOfBirth: "2018-05-04", gender: "male" },
    },
  ])
  // Nominations apply only to the member's own death.
  await nominate(memberId, [{ name: "Zakes Ngubane" }])
  const cents = 25_000_00
  await fillDeathClaim(hr, { member: "Ngubane", insured: /^Musa Ngubane/, benefit: "Funeral benefit", cents })
  for (const type of ["Death certificate", "ID document", "Proof of relationship"]) await attach(hr, type)
  await clickNext(hr)
  const claim = await submit(hr)
  await expect(panel(hr, "Claim information")).toContainText("Musa Ngubane")

  const { api } = insurer
  const claimId = lastPart(claim)
  const { version } = await api.manager.claims.detail({ claimId })
  await api.manager.claims.route({ claimId, version })
  for (let stage = 0; stage < 3; stage++) await approveStage(insurer, claimId)

  await manager.goto(claim)
  await expect(panel(manager, "Payees")).toContainText("The benefit is payable to the member.")
  await expect(panel(manager, "Payees")).not.toContainText("Zakes Ngubane")
  await recordPayees(manager, async (dialog) => {
    await expect(dialog.getByRole("group", { name: "Zodwa Ngubane, 100.00 %" })).toBeVisible()
    await fillPayeeAccount(manager)
  })
  const [payment] = await preparePayments(manager, [["Zodwa Ngubane", cents]])
  const payoutId = lastPart(payment!)
  const prepared = await api.admin.payouts.detail({ payoutId })
  const released = await api.admin.payouts.release({ ...stepOf(prepared), payoutId })
  await api.admin.payouts.complete({ ...stepOf(released), payoutId, completedOn: today })
  await manager.reload()
  await expect(manager.getByText("Paid", { exact: true }).first()).toBeVisible()

  // The child's cover ends, and the member's goes on.
  await manager.goto(`/members/${memberId}`)
  await expect(manager.getByText("Active", { exact: true }).first()).toBeVisible()
  const { dependents } = await insurer.api.manager.members.detail({ memberId })
  expect(dependents).toMatchObject([{ firstName: "Musa", untilOn: incidentOn }])
})

test("a rejected claim is reopened on appeal and approved, and the rejection stays on the page", async () => {
  const { underwriter, manager, hr } = insurer.pages
  const { api } = insurer
  const { id: memberId } = await insure("health", "Sipho", "Radebe")
  const {
    id: claimId,
    number,
    ...draft
  } = await api.hr.claims.saveDraft({
    content: {
      ...{ memberId, benefitId: insurer.benefits["Hospital benefit"]!, claimType: "medical" },
      ...{ incidentOn, notificationOn: null, claimAmountCents: null, requestedAmountCents: 40_000_00 },
      ...{ description: "Fell from a ladder at work", diagnosis: "Fractured wrist" },
      ...{ hospitalName: "", doctorName: "", treatmentDetails: "" },
    },
  })
  const file = { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") }
  const multipart = { documentType: "medical_report", file }
  expect((await hr.request.post(`/api/claims/${claimId}/documents`, { multipart })).ok()).toBe(true)
  const { version } = await api.hr.claims.submit({ claimId, version: draft.version })
  await api.manager.claims.route({ claimId, version })
  await approveStage(insurer, claimId)
  const claim = `/claims/${claimId}`
  const rejection = "The condition existed before cover began"
  const appeal = "The specialist dates the condition to this year"

  await underwriter.goto(`${claim}/approve`)
  await underwriter.getByRole("textbox", { name: "Comment" }).fill(rejection)
  await underwriter.getByRole("button", { name: "Reject", exact: true }).click()
  await dialogOf(underwriter).getByRole("button", { name: "Reject claim" }).click()
  await expect(dialogOf(underwriter)).toBeHidden()
  await hr.goto(claim)
  await expect(hr.getByText(`This claim was rejected: ${rejection}`)).toBeVisible()
  await expect(hr.getByText(/^May be appealed until/)).toBeVisible()

  await manager.goto(claim)
  await manager.getByRole("button", { name: "More", exact: true }).click()
  await manager.getByRole("menuitem", { name: "Reopen claim" }).click()
  await dialogOf(manager).getByRole("textbox", { name: "Reason for the appeal" }).fill(appeal)
  await expectAccessible(manager)
  await dialogOf(manager).getByRole("button", { name: "Reopen claim" }).click()
  await expect(manager.getByText("Claim reopened and assigned to you")).toBeVisible()
  await expect(manager.getByText(/^Answer due by/)).toBeVisible()
  await route(manager)
  await approveStage(insurer, claimId)

  await underwriter.goto(`${claim}/approve`)
  await expect(underwriter.getByText(appeal).first()).toBeVisible()
  await judgeClaim(underwriter, 40_000_00)
  await approve(underwriter)
  await approveStage(insurer, claimId)

  await manager.goto(claim)
  await expect(manager.getByRole("heading", { level: 1, name: number })).toBeVisible()
  await expect(manager.getByText("Approved", { exact: true }).first()).toBeVisible()
  const first = manager.getByRole("region", { name: "Round 1" })
  await expect(first.getByRole("heading")).toHaveText("Round 1, rejected, then reopened")
  await expect(first.getByRole("listitem").filter({ hasText: "Underwriter" })).toContainText(rejection)
  await expect(first).toContainText(appeal)
  const second = manager.getByRole("region", { name: "Round 2" })
  await expect(second.getByText("Approved", { exact: true })).toHaveCount(3)
  await expectAccessible(manager)
})

/** The picture as a phone saves it, with the camera's name, the time and the place. */
function photoWithPlace(fixture: string): Buffer {
  const path = fileURLToPath(new URL(`../server/src/settings/logo/fixtures/${fixture}`, import.meta.url))
  const picture = readFileSync(path)
  const tiff = Buffer.alloc(160)
  tiff.write("II*\0\x08\0\0\0\x02\0", "latin1")
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  const [cameraAt, placeAt, latitudeAt] = [60, 80, 120]
  entry(10, 0x0110, 2, 15, cameraAt)
  entry(22, 0x8825, 4, 1, placeAt)
  tiff.write("Secret Phone 9\0", cameraAt, "latin1")
  tiff.writeUInt16LE(2, placeAt)
  entry(placeAt + 2, 0x0001, 2, 2, 0x53)
  entry(placeAt + 14, 0x0002, 5, 3, latitudeAt)
  for (const [part, degrees] of [26, 15, 54].entries()) {
    tiff.writeUInt32LE(degrees, latitudeAt + part * 8)
    tiff.writeUInt32LE(1, latitudeAt + part * 8 + 4)
  }
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([picture.subarray(0, 2), head, body, picture.subarray(2)])
}

const exifSegment = 0xe1
/** Exif and XMP, captions of Photoshop, comments. */
const metadataSegments = [exifSegment, 0xed, 0xfe]

/** The markers of a JPEG's segments before its first scan. */
function segmentsOf(jpeg: Buffer): number[] {
  const markers: number[] = []
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    markers.push(jpeg[at + 1]!)
  }
  return markers
}

test("HR captures a claim with two photos on a phone in at most ten clicks", async ({ browser }) => {
  await insure("health", "Precious", "Mahlangu")
  const page = await openPage(browser, house.app.url, {
    ...{ viewport: phone, hasTouch: true, isMobile: true },
    storageState: await insurer.pages.hr.context().storageState(),
  })
  await page.addInitScript(() => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    addEventListener("click", ({ isTrusted }) => isTrusted && counted.clicks++, true)
  })
  const photos = ["camera.jpg", "progressive.jpg"].map((fixture, at) => ({
    ...{ name: `bill-${at + 1}.jpg`, mimeType: "image/jpeg", buffer: photoWithPlace(fixture) },
  }))
  for (const { buffer } of photos) {
    expect(segmentsOf(buffer)).toContain(exifSegment)
    expect(buffer.includes("Secret")).toBe(true)
  }

  await page.goto("/claims")
  await page.getByRole("link", { name: "New claim" }).first().click()
  await choose(page, "Member", "Mahlangu", /Mahlangu/)
  await clickNext(page)
  await choose(page, "Benefit", "", /^Hospital benefit/)
  await page.getByRole("textbox", { name: "Requested amount" }).fill("12 500")
  await clickNext(page)
  await page.getByRole("textbox", { name: "Incident date" }).fill(incidentOn)
  await page.getByRole("textbox", { name: "Description" }).fill("Fell from a ladder at work")
  await clickNext(page)
  for (const photo of photos) {
    const chooser = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Upload documents" }).click()
    await (await chooser).setFiles(photo)
    await expect(page.getByRole("list", { name: "Documents", exact: true }).getByText(photo.name)).toBeVisible()
  }
  await expectAccessible(page)
  await clickNext(page)
  await page.getByRole("button", { name: "Submit claim" }).click()
  await expect(page.getByText("Claim submitted successfully for approval")).toBeVisible()
  const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks)
  expect(clicks - photos.length, "clicks without those that open a file chooser").toBeLessThanOrEqual(10)

  const { rows } = await insurer.api.hr.claims.list({ search: "Mahlangu" })
  await page.goto(`/claims/${rows[0]!.id}?tab=documents`)
  for (const { name, buffer } of photos) {
    const href = await page
      .getByRole("link", { name: `Download ${name}` })
      .first()
      .getAttribute("href")
    const stored = await (await page.request.get(href!)).body()
    for (const marker of metadataSegments) expect(segmentsOf(stored)).not.toContain(marker)
    for (const text of ["Exif", "Secret", "Thandi"]) expect(stored.includes(text), text).toBe(false)
    const scan = buffer.subarray(buffer.indexOf(Buffer.from([0xff, 0xda])))
    expect(stored.subarray(-scan.length).equals(scan), "the picture is unchanged").toBe(true)
  }
  const wide = await page.evaluate(() => document.scrollingElement!.scrollWidth)
  expect(wide).toBeLessThanOrEqual(phone.width)
})
