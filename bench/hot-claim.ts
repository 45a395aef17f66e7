import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pino from "pino"
import { insureGroup, openClaimApp } from "../server/src/claims/claim-scene.samples.ts"
import { routedClaim } from "../server/src/claims/claims.samples.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import type { UserActor } from "../server/src/platform/calls/actor.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { router } from "../server/src/router.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { testPostgresVariable } from "../server/src/runtime/test-postgres.setup.ts"
import { alternate, type Bench, must, timed } from "./measure.ts"

const deciders = 50
/** Claims one after the other in each round. */
const claimsARound = 10
const rounds = 5

/** Fifty people decide one claim at the same moment; beside it, fifty bare updates of one row that name what they change. */
export const hotClaim: Bench = {
  name: "hot-claim",
  async run(say) {
    const postgres = await startTestPostgres({ durable: true })
    process.env[testPostgresVariable] = postgres.url
    const house = await openClaimApp()
    // With the pools of a server, which are larger than those of a test.
    const database = new Database(house.app.database.ownerUrl)
    try {
      const { groupId, cast, sample } = await insureGroup(house, "Hot Springs Hotels")
      const people: UserActor[] = []
      for (let nth = 0; nth < deciders; nth++) people.push(await house.people.groupAdmin(groupId))
      const app = new App({
        reactions,
        jobs,
        database,
        clock: house.clock,
        files: new FileStore(house.app.files.folder),
        log: pino({ level: "silent" }),
        publicUrl: house.app.publicUrl,
      })
      const clients = people.map((actor) =>
        createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }),
      )
      const decided = async () => {
        let ms = 0
        for (let nth = 0; nth < claimsARound; nth++) {
          const { id: claimId, version } = await routedClaim(cast, sample)
          let answers: string[] = []
          ms += await timed(async () => {
            answers = await Promise.all(
              clients.map((client) =>
                client.claims
                  .decide({ claimId, version, decision: "approve", comment: "Agreed", idempotencyKey: randomUUID() })
                  .then(
                    () => "approved",
                    (error: Error) => error.message,
                  ),
              ),
            )
          })
          const lost = answers.filter((answer) => answer === "No pending approval step")
          must(lost.length === deciders - 1 && answers.includes("approved"), `one decider wins (${new Set(answers)})`)
        }
        return ms
      }
      await database.direct("owner").run(sql`create table bare_claims (id uuid primary key, status text, version int)`)
      await database.direct("owner").run(sql`grant select, insert, update on bare_claims to milkwood_staff`)
      const staff = database.direct("staff")
      const updated = async () => {
        let ms = 0
        for (let nth = 0; nth < claimsARound; nth++) {
          const id = randomUUID()
          await staff.run(sql`insert into bare_claims values (${id}, 'pending_group_admin', 3)`)
          let touched: number[] = []
          ms += await timed(async () => {
            touched = await Promise.all(
              people.map(() =>
                staff.run(sql`
                  update bare_claims set status = 'pending_underwriter', version = version + 1
                  where id = ${id} and status = 'pending_group_admin' and version = 3`),
              ),
            )
          })
          must(touched.filter((rows) => rows === 1).length === 1, "one update wins")
        }
        return ms
      }
      await decided()
      await updated()
      const { ours, reference } = await alternate(rounds, decided, updated)
      const rate = (ms: number) => Math.round((deciders * claimsARound * 1_000) / ms)
      say(`decisions tried a second: ${rate(ours)}, bare updates ${rate(reference)}: ${(reference / ours).toFixed(2)}`)
      return [
        {
          what: `${deciders} deciders of one claim, until the last has an answer`,
          ours: ours / claimsARound,
          reference: reference / claimsARound,
          unit: "ms",
          against: "as many bare conditional updates of one row",
          // At least half as fast.
          atMost: 2,
        },
      ]
    } finally {
      await database.close()
      await house.close()
      await postgres.close()
    }
  },
}
