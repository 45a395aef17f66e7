import { hasPayeeEmail, type PayeeSet, proposePayees } from "@milkwood/domain/claims/claim-payees"
import { preparerIds } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { loadClaimToPay, loadPayeeSets, loadPayeeSubject } from "./claim-payees.queries.ts"

/** E-mail addresses of the user and, for a service key, of its maker. */
export async function loadOwnEmails({ tx, actor }: Pick<Cx, "tx" | "actor">): Promise<string[]> {
  const ids = sql.param(preparerIds(ruleActor(actor)))
  const rows = await tx.rows<{ email: string }>(sql`select email from users where id = any (${ids}::uuid[])`)
  return rows.map(({ email }) => email)
}

/** Refuses a user who decides on their own benefit: a payee, or a proposed payee while none is recorded. */
export async function refuseOwnBenefit(cx: Cx, claimId: string): Promise<void> {
  const [current] = await loadPayeeSets(cx.tx, [claimId], true)
  const payees = current?.payees ?? (await loadProposedPayees(cx, claimId))
  if (hasPayeeEmail(payees, await loadOwnEmails(cx))) {
    throw refused("OWN_CLAIM", "A payee of this claim has your e-mail address. Another person must decide it.")
  }
}

async function loadProposedPayees(cx: Cx, claimId: string): Promise<PayeeSet["payees"]> {
  const { subject } = await loadPayeeSubject(cx, await loadClaimToPay(cx.tx, claimId))
  return proposePayees(subject).payees
}
