import { randomUUID } from "node:crypto"
import type { ClaimType } from "@milkwood/domain/claims/claim"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { Browser, Page } from "@playwright/test"
import { type ApiClient, apiOf } from "./api.ts"
import { openPage, password } from "./browser.ts"
import type { Installation } from "./house.ts"
import { fillSetup, submitSignIn } from "./people.ts"
import { readStaff } from "./staff.ts"

const colleagues = {
  manager: { name: "Megan Jacobs", role: "manager" },
  underwriter: { name: "Hendrik Venter", role: "underwriter" },
  hr: { name: "Thandi Mokoena", role: "group_admin" },
  hr2: { name: "Sizwe Khumalo", role: "group_admin" },
  signatory: { name: "Nomsa Radebe", role: "policy_holder" },
} as const
type Colleague = keyof typeof colleagues

const products = {
  life: { name: "Group Life", benefits: { "Death benefit": 250_000_00, "Funeral benefit": 25_000_00 }, pays: "death" },
  health: { name: "Group Health", benefits: { "Hospital benefit": 80_000_00 }, pays: "medical" },
} as const satisfies Record<string, { name: string; benefits: Record<string, number>; pays: ClaimType }>
export type Product = keyof typeof products

/** An insurer with one employer, whose life and health policies are active, and the people who handle its claims. */
export interface Insurer {
  /** Pages of signed-in users. */
  pages: Record<Colleague | "admin", Page>
  api: Record<Colleague | "admin", ApiClient>
  policies: Record<Product, string>
  /** Ids of the benefits by name. */
  benefits: Record<string, string>
  tierId: string
}

export async function openInsurer(browser: Browser, { app, admin }: Installation, group: string): Promise<Insurer> {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  const office = apiOf(admin)
  const tierId = (await office.benefits.choices()).tiers[0]!.id
  const benefits: Record<string, string> = {}
  const insure = async (product: Product, groupId?: string) => {
    const { name, benefits: covers, pays } = products[product]
    const { id: productTypeId } = await office.benefits.productTypes.create({
      ...{ name, description: "", vatRates: [{ from: null, percent: 15 }] },
    })
    for (const [benefit, coverAmountCents] of Object.entries(covers)) {
      const { id: benefitId } = await office.benefits.benefits.create({ name: benefit, claimTypes: [pays] })
      benefits[benefit] = benefitId
      const cover = { costCents: 0, coverAmountCents, coverPercentage: 100, dependents: null }
      await office.benefits.productBenefits.create({ productTypeId, benefitId, tierId, ...cover })
    }
    const policy = await office.policies.create({
      group: groupId ? { kind: "existing", groupId } : { kind: "new", name: group },
      ...{ productTypeId, coverageType: product, startOn: "2026-01-01" },
      ...{ contactName: "Thandi Mokoena", contactEmail: "hr@employer.example" },
    })
    await addMember(office, { policyId: policy.id, tierId, name: ["Johan", "Botha"] })
    const { version } = await office.policies.detail({ policyId: policy.id })
    await office.policies.activate({ policyId: policy.id, version })
    return policy
  }
  const life = await insure("life")
  const health = await insure("health", life.groupId)

  const join = async (who: Colleague): Promise<Page> => {
    const { name, role } = colleagues[who]
    const isScoped = role === "group_admin" || role === "policy_holder"
    const email = `${who}@milkwood.example`
    const { link } = await office.users.invite({ email, role, groupIds: isScoped ? [life.groupId] : [] })
    const page = await openPage(browser, app.url)
    await apiOf(page).users.acceptInvitation({ token: new URL(link).hash.slice(1), fullName: name, password })
    return page
  }
  const pages = {
    admin,
    manager: await join("manager"),
    underwriter: await join("underwriter"),
    hr: await join("hr"),
    hr2: await join("hr2"),
    signatory: await join("signatory"),
  }
  const api = Object.fromEntries(Object.entries(pages).map(([who, page]) => [who, apiOf(page)])) as Insurer["api"]
  return { pages, api, benefits, tierId, policies: { life: life.id, health: health.id } }
}

interface NewMember {
  policyId: string
  tierId: string
  name: readonly [first: string, last: string]
  dependents?: DependentInput[]
}

const unusedIdNumbers = readStaff().map(({ idNumber }) => idNumber)

export async function addMember(client: ApiClient, { policyId, tierId, name, dependents = [] }: NewMember) {
  const [firstName, lastName] = name
  const idNumber = unusedIdNumbers.shift()!
  return client.members.create({
    ...{ policyId, tierId, startOn: "2026-01-01", dependents },
    personal: { firstName, lastName, idNumber, passportNumber: null, dateOfBirth: null, gender: null },
    contact: { email: `${firstName}@employer.example`, phone: "0821234567", address: "1 Long Street, Cape Town" },
    employment: { employmentStatus: "employed", employer: "", jobTitle: "Clerk" },
  })
}

/** The user for whom a routed claim waits approves it. */
export async function approveStage({ api }: Insurer, claimId: string): Promise<void> {
  const { status, version } = await api.manager.claims.detail({ claimId })
  const decider = { pending_group_admin: api.hr2, pending_underwriter: api.underwriter }[status as string]
  await (decider ?? api.signatory).claims.decide({
    ...{ claimId, version, idempotencyKey: randomUUID(), decision: "approve", comment: "Seen and in order" },
    ...{ approvedAmountCents: null, reductionReason: "" },
  })
}
