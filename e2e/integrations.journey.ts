import { expect, type Page, type Route, test } from "@playwright/test"
import { Webhook } from "standardwebhooks"
import { checkEveryView, checkTwoViews, choose, dialogOf, expectAccessible, waitUntilSettled } from "./browser.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { fillSetup, submitSignIn } from "./people.ts"
import { openReceiver, type Receiver } from "./receiver.ts"
import { createDraftPolicy, makeProductType } from "./schemes.ts"

/** An integration's life: service key, webhook, failed and resent deliveries, revoked key. */

let { app, admin } = {} as Installation
useOwnInstallation(
  (house) => {
    ;({ app, admin } = house)
  },
  { withMail: false, environment: { WEBHOOK_NETWORKS: "127.0.0.1/32" } },
)

test.describe.configure({ mode: "serial" })

let receiver: Receiver
test.beforeAll(async () => {
  receiver = await openReceiver()
})
test.afterAll(() => receiver?.close())

const integrations = "/settings/integrations"
let key = ""
let secret = ""

async function callPublicApi(method: "GET" | "POST", path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) }
  const answer = await fetch(`${app.url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const openMessage = (event: string) =>
  admin.getByRole("row").filter({ hasText: event }).first().getByRole("link").first().click()

/** Checks a secret that is shown only once and returns it. */
async function readSecretShownOnce(page: Page, title: string): Promise<string> {
  const shown = page.getByRole("dialog", { name: title })
  await expect(shown).toBeVisible()
  await checkEveryView(page)
  const text = (await shown.locator("pre").textContent())!.trim()
  await shown.getByRole("checkbox", { name: "I have saved it" }).check()
  await shown.getByRole("button", { name: "Done" }).click()
  await expect(shown).toBeHidden()
  return text
}

test("an administrator creates a service key, which is shown only once", async () => {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  await makeProductType(admin)
  await createDraftPolicy(admin, { group: "Karoo Wool", startOn: "2026-01-01", email: "hr@karoowool.example" })
  await admin.goto(integrations)
  await expect(admin.getByText("No service keys yet.")).toBeVisible()
  await checkEveryView(admin)

  await admin.getByRole("button", { name: "Create service key" }).click()
  await dialogOf(admin).getByRole("button", { name: "Create key" }).click()
  await expect(dialogOf(admin).getByText("Enter a name for the key")).toBeVisible()
  await checkEveryView(admin)
  await dialogOf(admin).getByRole("textbox", { name: "Name" }).fill("Payroll feed")
  await choose(admin, "Role", "", "Group administrator")
  await expect(
    dialogOf(admin)
      .getByLabel(/^Groups/)
      .first(),
  ).toBeVisible()
  await checkEveryView(admin)
  await choose(admin, "Role", "", "Manager")
  await dialogOf(admin).getByRole("button", { name: "Create key" }).click()
  key = await readSecretShownOnce(admin, "Save this key")
  expect(key).toMatch(/^mwk_[\w-]{43}$/)
  const list = admin.getByRole("list", { name: "Service keys" })
  await expect(list.getByText("Payroll feed")).toBeVisible()
  await expect(admin.getByText(key)).toBeHidden()
})

test("an administrator creates a webhook; internal network addresses are refused", async () => {
  await admin.getByRole("button", { name: "Create webhook" }).click()
  await dialogOf(admin).getByRole("textbox", { name: "Name" }).fill("Payroll")
  await dialogOf(admin).getByRole("textbox", { name: "Address" }).fill("https://10.0.0.1/hook")
  await dialogOf(admin)
    .getByLabel(/^Events/)
    .first()
    .click()
  await expect(admin.getByRole("option").last()).toBeAttached()
  await expectAccessible(admin)
  await choose(admin, "Events", "Member added", "Member added")
  await admin.keyboard.press("Escape")
  await dialogOf(admin).getByRole("button", { name: "Create webhook" }).click()
  await expect(
    dialogOf(admin)
      .getByText(/^Enter a public internet address/)
      .first(),
  ).toBeVisible()
  await checkEveryView(admin)
  await dialogOf(admin).getByRole("textbox", { name: "Address" }).fill(receiver.url)
  await dialogOf(admin).getByRole("button", { name: "Create webhook" }).click()
  secret = await readSecretShownOnce(admin, "Save this secret")
  expect(secret).toMatch(/^whsec_/)
  await admin.getByRole("link", { name: "Payroll", exact: true }).click()
  await expect(admin.getByText("No messages yet")).toBeVisible()
  await checkEveryView(admin)
})

test("the integrator's program adds a member, receives the signed event and fetches the member", async () => {
  const { rows } = (await callPublicApi("GET", "/policies")).body
  const { tiers } = (await callPublicApi("GET", "/benefits/choices")).body
  const added = await callPublicApi("POST", "/members", {
    policyId: rows[0].id,
    tierId: tiers[0].id,
    personal: {
      firstName: "Lerato",
      lastName: "Botha",
      idNumber: "8001015009087",
      passportNumber: null,
      dateOfBirth: null,
      gender: null,
    },
    contact: { email: "lerato@karoowool.example", phone: "0821234567", address: "1 Church Street, Beaufort West" },
    employment: { employmentStatus: "employed", employer: "", jobTitle: "Clerk" },
  })
  expect(added, JSON.stringify(added.body)).toMatchObject({ status: 201 })
  await expect.poll(() => receiver.received.length).toBe(1)
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  const told = new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    data: { id: string }
  }
  expect(told).toMatchObject({ type: "member.added", data: { kind: "member", id: added.body.id } })
  expect(body).not.toContain("Botha")
  expect((await callPublicApi("GET", `/members/${told.data.id}`)).body).toMatchObject({
    personal: { lastName: "Botha" },
  })

  // The page updates live.
  await expect(admin.getByRole("table").getByText("Delivered").first()).toBeVisible()
  await checkEveryView(admin)
  await openMessage("Member added")
  await expect(admin.getByRole("heading", { level: 1, name: /^Member added/ })).toBeVisible()
  await expect(admin.getByRole("table", { name: "Attempts" }).getByRole("cell", { name: "200" })).toBeVisible()
  await checkEveryView(admin)
  await admin.goto(`/members/${told.data.id}?tab=activity`)
  await expect(admin.getByText("Payroll feed (service key)").first()).toBeVisible()
})

test("a failed delivery shows the receiver's answer and is resent with the same id", async () => {
  receiver.received.length = 0
  receiver.answer = (response) => response.writeHead(500).end("The payroll is closed for the month")
  await admin.goto(integrations)
  await admin.getByRole("link", { name: "Payroll", exact: true }).click()
  await admin.getByRole("button", { name: "Send test message" }).click()
  const failed = "500: The payroll is closed for the month"
  await expect(admin.getByRole("table").getByText(failed)).toBeVisible()
  await expect(admin.getByText("Deliveries failing").first()).toBeVisible()
  await checkEveryView(admin)
  await admin.goto(integrations)
  await expect(admin.getByText("Deliveries failing")).toBeVisible()
  await checkEveryView(admin)
  await admin.getByRole("link", { name: "Payroll", exact: true }).click()
  await openMessage("Test")
  await expect(admin.getByText("The payroll is closed for the month").first()).toBeVisible()
  await checkEveryView(admin)

  receiver.answer = (response) => response.end("Thank you")
  await admin.getByRole("button", { name: "Send again" }).click()
  await expect(admin.getByText("Delivered").first()).toBeVisible()
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"])
  expect(ids.length).toBeGreaterThanOrEqual(2)
  expect(new Set(ids).size).toBe(1)
  // The automatic attempt may succeed beside the manual one.
  await expect(admin.getByRole("table", { name: "Attempts" }).getByRole("cell", { name: "200" }).first()).toBeVisible()
})

test("a slow receiver does not delay other deliveries", async () => {
  const letGo = Promise.withResolvers<void>()
  receiver.answer = (response) => void letGo.promise.then(() => response.end())
  await admin.goto(integrations)
  await admin.getByRole("link", { name: "Payroll", exact: true }).click()
  await admin.getByRole("button", { name: "Send test message" }).click()
  await expect(admin.getByRole("table").getByText("Sending")).toBeVisible()
  letGo.resolve()
  await expect(admin.getByRole("table").getByText("Sending")).toBeHidden()
})

test("a webhook is paused, resumed and given another secret", async () => {
  const menu = (item: string) =>
    admin
      .getByRole("button", { name: "More", exact: true })
      .click()
      .then(() => admin.getByRole("menuitem", { name: item }).click())
  await menu("Edit webhook")
  await expect(dialogOf(admin)).toBeVisible()
  await checkTwoViews(admin)
  await dialogOf(admin).getByRole("button", { name: "Cancel" }).click()
  await menu("Create a new secret")
  await expect(dialogOf(admin)).toBeVisible()
  await checkTwoViews(admin)
  await dialogOf(admin).getByRole("button", { name: "Create new secret" }).click()
  expect(await readSecretShownOnce(admin, "Save this secret")).not.toBe(secret)
  await menu("Pause")
  await expect(admin.getByText("Paused", { exact: true }).first()).toBeVisible()
  await checkTwoViews(admin)
  await menu("Resume")
  await expect(admin.getByText("Webhook resumed")).toBeVisible()
})

test("the key is revoked, and a request with it is refused", async () => {
  await admin.goto(integrations)
  expect((await callPublicApi("GET", "/policies")).status).toBe(200)
  await admin.getByRole("button", { name: "Revoke the key Payroll feed" }).click()
  await expect(dialogOf(admin)).toBeVisible()
  await checkTwoViews(admin)
  await dialogOf(admin).getByRole("button", { name: "Revoke key" }).click()
  await expect(admin.getByRole("list", { name: "Service keys" }).getByText("Revoked", { exact: true })).toBeVisible()
  expect(await callPublicApi("GET", "/policies")).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } })
  await checkEveryView(admin)
})

test("each part of the integrations page reports a server failure", async () => {
  const fail = (route: Route) =>
    route.fulfill({ status: 500, json: { json: { code: "INTERNAL_SERVER_ERROR", status: 500, message: "" } } })
  const lists = /\/rpc\/(webhooks|users\/serviceKeys)\//
  await admin.route(lists, fail)
  await admin.goto(integrations)
  await waitUntilSettled(admin)
  await expect(admin.getByRole("main").getByText("Failed to load the service keys")).toBeVisible()
  await expect(admin.getByRole("main").getByText("Failed to load the webhooks")).toBeVisible()
  await checkEveryView(admin)
  await admin.unroute(lists, fail)
  await admin.getByRole("main").getByRole("button", { name: "Retry" }).first().click()
  await expect(admin.getByRole("list", { name: "Service keys" })).toBeVisible()
})
