import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createClaimWithWithdrawnApproval,
  createRejectedClaim,
  createSubmittedClaim,
  reopenClaim,
} from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Namaqua Nurseries")
})
afterAll(() => app.close())

type User = Awaited<ReturnType<typeof openPage>>["user"]
const readClaim = (claimId: string) => scene.cast.manager.claims.detail({ claimId })
const openDialog = async (user: User, item: string, title: string) => {
  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: item }))
  return within(await screen.findByRole("dialog", { name: title }))
}

describe("a rejected claim's page", () => {
  it("shows how long it may be appealed, and reopens it", async () => {
    const claim = await createRejectedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    expect(await screen.findByText(/May be appealed until/)).toHaveProperty(
      "textContent",
      "May be appealed until 2027-01-31.",
    )
    const dialog = await openDialog(user, "Reopen claim", `Reopen ${claim.number}`)
    expect(dialog.getByText(/The last day to appeal is/)).toBeTruthy()
    await user.click(dialog.getByRole("button", { name: "Reopen claim" }))
    expect(await dialog.findByText("Enter the reason for the appeal.")).toBeTruthy()
    await user.type(dialog.getByRole("textbox", { name: /Reason for the appeal/ }), "A second opinion")
    await user.click(dialog.getByRole("button", { name: "Reopen claim" }))
    expect(await screen.findByText("Claim reopened and assigned to you")).toBeTruthy()
    expect(await readClaim(claim.id)).toMatchObject({
      status: "under_review",
      reopenings: [{ reason: "A second opinion", receivedOn: "2026-11-02" }],
    })
    expect((await screen.findByText(/Answer due by/)).textContent).toBe("Answer due by 2026-12-17.")
    const first = within(screen.getByRole("region", { name: "Round 1" }))
    expect(first.getByRole("heading").textContent).toBe("Round 1, rejected, then reopened")
    expect(first.getByText(/A second opinion/)).toBeTruthy()
  })

  it("offers no reopening to a group administrator", async () => {
    const claim = await createRejectedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr, `/claims/${claim.id}`)
    expect(await screen.findByText(/May be appealed until/)).toBeTruthy()
    expect(screen.queryByRole("button", { name: "More" })).toBeNull()
  })
})

it("an approval is withdrawn with its amount in the question", async () => {
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
  const dialog = await openDialog(user, "Withdraw approval", `Withdraw the approval of ${claim.number}`)
  expect(dialog.getByText(/will no longer be owed to Sipho Dlamini/).textContent).toMatch(
    /^R\s50\s000,00 will no longer be owed/,
  )
  await user.type(dialog.getByRole("textbox", { name: /Reason/ }), "The bill was corrected")
  await user.click(dialog.getByRole("button", { name: "Withdraw approval" }))
  expect(await screen.findByText("Approval withdrawn")).toBeTruthy()
  expect((await readClaim(claim.id)).status).toBe("under_review")
  const first = within(await screen.findByRole("region", { name: "Round 1" }))
  expect(first.getByRole("heading").textContent).toBe("Round 1, approval withdrawn")
})

it("the submitter withdraws a submitted claim, and its page shows the reason", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.hr, `/claims/${claim.id}`)
  const dialog = await openDialog(user, "Withdraw claim", `Withdraw ${claim.number}`)
  await user.type(dialog.getByRole("textbox", { name: /Reason/ }), "The medical aid paid")
  await user.click(dialog.getByRole("button", { name: "Withdraw claim" }))
  expect(await screen.findByText("Claim withdrawn")).toBeTruthy()
  expect((await readClaim(claim.id)).status).toBe("withdrawn")
  expect(await screen.findByText(/: The medical aid paid/)).toBeTruthy()
  expect(screen.getAllByText("Not decided")).toHaveLength(3)
  expect(screen.queryByText("Waiting to be routed by the office.")).toBeNull()
})

it("lists name the cause of a new round", async () => {
  const rejected = await createRejectedClaim(scene.cast, scene.sample)
  const appeal = await reopenClaim(scene.cast, rejected.id, "2026-11-02")
  const withdrawn = await createClaimWithWithdrawnApproval(scene.cast, scene.sample)
  await openPage(app, scene.people.manager, "/claims")
  for (const [{ number }, text] of [
    [appeal, "Under review, appeal"],
    [withdrawn, "Under review, approval withdrawn"],
  ] as const) {
    const row = (await screen.findByText(number)).closest("tr")!
    expect(within(row).getByText(text)).toBeTruthy()
  }
})
