import { randomUUID } from "node:crypto"
import type { CallForm } from "@milkwood/domain/collection/collection-shape"
import { mailTemplates } from "@milkwood/domain/collection/premium-mail"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { jobs } from "../jobs.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import type { DemoStage } from "./play.ts"

/** Who owes is called and reminded: promises that are open and broken, a dispute, and what will not come is given up. */
export async function playCollection(stage: DemoStage, today: Day): Promise<void> {
  const manager = stage.as(stage.manager)
  const owing = stage.schemes.filter(({ pays }) => pays !== "promptly")
  const [broken, promised, disputed, silent] = owing
  const call = (scheme: (typeof owing)[number] | undefined, what: Partial<CallForm> & Pick<CallForm, "outcome">) =>
    scheme &&
    manager.collection.logCall({
      policyId: scheme.policyId,
      idempotencyKey: randomUUID(),
      call: { promisedCents: null, promisedOn: null, note: "", ...what },
    })

  stage.on(addDays(today, -12))
  // An amount that no receipt of the days between comes to.
  const tooMuch = { outcome: "promise", promisedCents: 900_000_00, promisedOn: addDays(today, -5) } as const
  await call(broken, { ...tooMuch, note: "Their bank changes its system; all of it by Monday" })
  await call(silent, { outcome: "no_answer" })
  await remind(
    stage,
    owing.slice(0, 4).map(({ policyId }) => policyId),
  )

  stage.on(addDays(today, -1))
  await call(promised, {
    ...{ outcome: "promise", promisedCents: 4_000_00, promisedOn: addDays(today, 6) },
    note: "Half now, the rest at month end",
  })
  await call(disputed, { outcome: "dispute", note: "Two people who left in the second month are still billed" })
  await giveUp(stage, owing.at(-1)!.policyId)
}

async function remind(stage: DemoStage, policyIds: string[]): Promise<void> {
  const asked = { policyIds, idempotencyKey: randomUUID(), ...mailTemplates.reminder }
  await stage.as(stage.manager).collection.remind(asked)
  await runDueJobs(stage.app, jobs, new AbortController().signal)
}

/** The oldest open invoice in part: asked for by one manager, confirmed by the other. */
async function giveUp(stage: DemoStage, policyId: string): Promise<void> {
  const manager = stage.as(stage.manager)
  const [oldest] = (await manager.receipts.openInvoices({ policyId })).invoices
  if (!oldest) return
  const [waiting] = await manager.receipts.writeOff({
    invoiceId: oldest.id,
    amountCents: Math.min(oldest.outstandingCents, 575_00),
    reason: "Members of a branch that was closed; the employer does not pay for them",
    idempotencyKey: randomUUID(),
  })
  const confirm = { writeOffId: waiting!.id, idempotencyKey: randomUUID() }
  await stage.as(stage.manager2).receipts.confirmWriteOff(confirm)
}
