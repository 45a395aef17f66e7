import type { KeyRole } from "@milkwood/domain/users/service-key"
import type { UserActor } from "../platform/calls/actor.ts"
import type { Client, TestApp } from "../test/app.ts"
import { readCallerActor } from "./caller.ts"

/** A program with a key made by an administrator, as the actor of its requests. */
export async function createProgram(
  app: TestApp,
  role: KeyRole,
  { groupIds = [], maker = app.people.admin }: { groupIds?: string[]; maker?: UserActor } = {},
): Promise<{ id: string; actor: UserActor; client: Client }> {
  const { today } = await app.app.moment()
  const expiresOn = Temporal.PlainDate.from(today).add({ years: 1 }).toString()
  const { secret, key } = await app
    .as(maker)
    .users.serviceKeys.make({ name: "Payroll feed", role, groupIds, expiresOn })
  const actor = (await readCallerActor(app.app, new Headers({ authorization: `Bearer ${secret}` }), null))!
  return { id: key.id, actor, client: app.as(actor) }
}
