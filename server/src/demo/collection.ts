import { randomUUID } from "node:crypto"
import type { CallForm } from "@milkwood/domain/collection/collection-shape"
import { premiumTemplates } from "@milkwood/domain/collection/premium-mail"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { jobs } from "../jobs.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import type { Diary } from "./diary.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

type FiveOf<One> = [One, One, One, One, One]

export function playCollection(stage: DemoStage, diary: Diary, months: readonly Day[], today: Day): void {
  const manager = stage.as(stage.manager)
  const owing = stage.schemes.filter(({ pays }) => pays !== "promptly")
  const [promised, kept, broken, disputed, givenUp] = owing as FiveOf<DemoScheme>
  const call = ({ policyId }: DemoScheme, what: Partial<CallForm> & Pick<CallForm, "outcome">) =>
    manager.collection.logCall({
      policyId,
      idempotencyKey: randomUUID(),
      call: { promisedCents: null, promisedOn: null, note: "", ...what },
    })
  const ago = (days: number) => addDays(today, -days)

  // The first underpaid premium was due ten days earlier.
  const noticeOn = addDays(months.at(-6)!, 40)
  diary.on(noticeOn, () =>
    runMailJobs(stage, () =>
      manager.collection.sendNotice({
        policyId: broken.policyId,
        idempotencyKey: randomUUID(),
        ...premiumTemplates.notice.initial,
      }),
    ),
  )
  diary.on(ago(20), () =>
    call(kept, { outcome: "promise", promisedCents: 5_000_00, promisedOn: ago(12), note: "A first part next week" }),
  )
  diary.on(ago(14), () =>
    recordedReceipt(manager, {
      policyId: kept.policyId,
      amountCents: 5_000_00,
      receivedOn: ago(14),
      reference: "As promised on the telephone",
    }),
  )
  diary.on(ago(12), async () => {
    const { outstandingCents } = await manager.collection.contacts({ policyId: broken.policyId })
    const all = { outcome: "promise", promisedCents: outstandingCents, promisedOn: ago(5) } as const
    await call(broken, { ...all, note: "Their bank changes its system; all of it by Monday" })
    await call(disputed, { outcome: "no_answer" })
    const policyIds = owing.slice(0, 4).map(({ policyId }) => policyId)
    const asked = { policyIds, idempotencyKey: randomUUID(), ...premiumTemplates.reminder.initial }
    await runMailJobs(stage, () => manager.collection.remind(asked))
  })
  diary.on(ago(1), async () => {
    await call(promised, {
      ...{ outcome: "promise", promisedCents: 4_000_00, promisedOn: addDays(today, 6) },
      note: "Half now, the rest at month end",
    })
    await call(disputed, { outcome: "dispute", note: "Two people who left in the second month are still billed" })
    await writeOffOldest(stage, givenUp.policyId)
  })
  diary.on(ago(1), () => reverseBouncedReceipt(stage, broken.policyId, ago(1)))
}

async function runMailJobs(stage: DemoStage, ask: () => Promise<unknown>): Promise<void> {
  await ask()
  await runDueJobs(stage.app, jobs, new AbortController().signal)
}

async function reverseBouncedReceipt(stage: DemoStage, policyId: string, receivedOn: Day): Promise<void> {
  const { receipts } = stage.as(stage.manager)
  const { id, version } = await recordedReceipt(stage.as(stage.manager), {
    policyId,
    amountCents: 5_000_00,
    receivedOn,
    method: "cheque",
    reference: "Cheque 000187",
  })
  await receipts.reverse({
    receiptId: id,
    version,
    idempotencyKey: randomUUID(),
    reason: "The cheque bounced",
  })
}

/** One manager requests, another confirms. */
async function writeOffOldest(stage: DemoStage, policyId: string): Promise<void> {
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
