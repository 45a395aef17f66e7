import { expect, type Page, test } from "@playwright/test"
import { checkEveryView, choose, dialogOf, openPage } from "./browser.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { acceptInvitation, fillSetup, invite, people, submitSignIn } from "./people.ts"

/** An administrator edits the invitation's text; the invited user receives it and signs in by its link. */

let { app, mail, admin } = {} as Installation
useOwnInstallation(
  (house) => {
    ;({ app, mail, admin } = house)
  },
  { withMail: false },
)

test.describe.configure({ mode: "serial" })

const field = (page: Page, name: string) => page.getByRole("textbox", { name })

test("the mail server is set in the settings and delivers a test mail", async () => {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  await admin.goto("/settings/email#server")
  await expect(
    admin.getByText("E-mails stay in the outbox and are not delivered until you set up a mail server here"),
  ).toBeVisible()
  await field(admin, "SMTP host").fill("127.0.0.1")
  await field(admin, "SMTP port").fill("1")
  await choose(admin, "Encryption", "", "None")
  await field(admin, "Sender").fill("cover@milkwood.example")
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await admin.getByRole("button", { name: "Send test e-mail" }).click()
  await dialogOf(admin).getByRole("button", { name: "Send test e-mail" }).click()
  await expect(dialogOf(admin).getByText(/Mail server response: .*ECONNREFUSED/)).toBeVisible()
  await checkEveryView(admin)
  await dialogOf(admin).getByRole("button", { name: "Cancel" }).click()

  // Queued mail is sent to the corrected server automatically.
  await field(admin, "SMTP port").fill(new URL(mail.url).port)
  await admin.getByRole("button", { name: "Save Changes" }).click()
  expect(await mail.mailTo(people.admin.email)).toContain("From: ")
  await admin.getByRole("button", { name: "Send test e-mail" }).click()
  await dialogOf(admin).getByRole("button", { name: "Send test e-mail" }).click()
  await expect(admin.getByText(/Mail server response: 250/)).toBeVisible()
})

test("the edited invitation reaches the invited user", async ({ browser }) => {
  await admin.goto("/settings/email#templates")
  await admin.getByRole("button", { name: "Invitation", exact: true }).click()
  const words = field(admin, "Text")
  await words.fill("Sawubona {name}")
  await dialogOf(admin).getByRole("button", { name: "Save" }).click()
  await expect(dialogOf(admin).getByText("{name} is not a known placeholder")).toBeVisible()
  await words.fill("Sawubona <b>colleague</b>, {invitedBy} waits for you.\n\n{link}")
  await expect(dialogOf(admin).getByText(`Sawubona <b>colleague</b>, Ada Adams waits for you.`)).toBeVisible()
  await checkEveryView(admin)
  await dialogOf(admin).getByRole("button", { name: "Save" }).click()
  await expect(admin.getByText("Edited")).toBeVisible()
  await checkEveryView(admin)

  await invite(admin, "manager", "")
  const raw = (await mail.mailTo(people.manager.email)).replace(/=\r?\n/g, "")
  expect(raw).toContain(`Sawubona <b>colleague</b>, ${people.admin.name} waits for you.`)
  expect(raw).toContain("Sawubona &#60;b&#62;colleague&#60;/b&#62;")
  const invited = await openPage(browser, app.url)
  await acceptInvitation(invited, "manager", app, mail)

  await admin.goto("/settings/email#templates")
  await admin.getByRole("button", { name: "Invitation", exact: true }).click()
  await dialogOf(admin).getByRole("button", { name: "Restore the default" }).click()
  await dialogOf(admin).getByRole("button", { name: "Save" }).click()
  await expect(admin.getByText("Edited")).toBeHidden()
})
