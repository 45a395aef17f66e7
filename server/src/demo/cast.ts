import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Role } from "@milkwood/domain/platform/permission"
import { createRouterClient, type RouterClient } from "@orpc/server"
import { eq } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { signInActor } from "../platform/calls/commands.ts"
import { router } from "../router.ts"
import { createSetupLink } from "../users/setup.ts"
import { readActor } from "../users/users.queries.ts"
import { users } from "../users/users.tables.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

export type Client = RouterClient<typeof router>

export const demoPassword = "Under-the-milkwood-26"

/** An in-process API client; permissions and rules apply as in a browser. */
export function clientOf(app: App, actor: UserActor | null): Client {
  const context = () => ({
    app,
    actor,
    requestId: randomUUID(),
    headers: new Headers(),
    responseHeaders: new Headers(),
  })
  return createRouterClient(router, { context }) as Client
}

const linkTokenOf = (link: string): string => new URL(link).hash.slice(1)

async function loadActor(app: App, email: string): Promise<UserActor> {
  return app.database.transaction(
    "auth",
    async (tx) => {
      const found = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
      return { ...(await readActor(tx, found[0]!.id)), session: "played" }
    },
    signInActor,
  )
}

export async function setUpInsurer(app: App): Promise<UserActor> {
  const link = await createSetupLink(app)
  if (!link) throw new Error("this house has been set up already")
  const email = "admin@milkwood.example"
  await clientOf(app, null).settings.setUp({
    token: linkTokenOf(link),
    fullName: "Ayesha Khan",
    email,
    password: demoPassword,
    organisation: {
      name: "Milkwood Group Assurance",
      vatNumber: "4123456789",
      address: "12 Protea Avenue\nNewlands\nCape Town\n7700",
      bankAccount: {
        bank: "Standard Bank",
        accountHolder: "Milkwood Group Assurance",
        accountNumber: "0012345678",
        branchCode: "051001",
      },
    },
  })
  return loadActor(app, email)
}

export async function createUser(
  app: App,
  admin: UserActor,
  person: { name: string; email: string; role: Role; groupIds?: string[] },
): Promise<UserActor> {
  const { email, role, groupIds = [] } = person
  const { link } = await clientOf(app, admin).users.invite({ email, role, groupIds })
  await clientOf(app, null).users.acceptInvitation({
    token: linkTokenOf(link),
    fullName: person.name,
    password: demoPassword,
  })
  return loadActor(app, email)
}

export async function addNewMember({ as, chance, benefits, people }: DemoStage, scheme: DemoScheme, startOn: Day) {
  const { firstName, lastName, idNumber, jobTitle, phone, address, serial } = people.adult()
  const member = await as(scheme.hr).members.create({
    policyId: scheme.policyId,
    tierId: chance.chance(0.55) ? benefits.tiers.Standard! : chance.pick(Object.values(benefits.tiers)),
    startOn,
    personal: { firstName, lastName, idNumber, passportNumber: null, dateOfBirth: null, gender: null },
    contact: {
      email: `${toAsciiLower(firstName)}.${toAsciiLower(lastName)}${serial}@${scheme.domain}`,
      phone,
      address,
    },
    employment: {
      employmentStatus: "employed",
      employer: scheme.name,
      jobTitle,
      employeeNumber: String(10_000 + serial),
    },
    dependents: people.family(lastName),
  })
  scheme.memberIds.push(member.id)
}

const toAsciiLower = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase()
