import { randomUUID } from "node:crypto"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import { createBatch, createPainAnswer, stepInputOf } from "../payouts/batches.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { createRefund, stepRefund } from "../refunds/refunds.samples.ts"
import { playPayment } from "./claims.ts"
import type { Diary } from "./diary.ts"
import { choosePayee } from "./payees.ts"
import type { DemoScheme, DemoStage } from "./play.ts"
import { runWaitingJobs } from "./year.ts"

export function playPayments(stage: DemoStage, diary: Diary, months: readonly Day[], today: Day): void {
  const [first, second] = months.slice(-3) as [Day, Day]
  const of = (name: string) => stage.schemes.find((scheme) => scheme.name === name)!
  const [soweto, vaal, umhlanga] = [of("Soweto Retail Holdings"), of("Vaal Engineering"), of("Umhlanga Logistics")]
  const [limpopo, printers] = [of("Limpopo Citrus Estates"), of("Bloemfontein Printers")]
  const manager = stage.as(stage.manager)
  const releaser = stage.as(stage.manager2)
  const ago = (days: number) => addDays(today, -days)

  const refunded = async (scheme: DemoScheme, on: Day, amountCents: number, kept = false) => {
    const { policyId, name } = scheme
    await createUnallocatedReceipt(manager, { policyId, amountCents, receivedOn: on, reference: "Premium, paid twice" })
    const method = kept ? "credit_note" : "bank_transfer"
    const payee = kept ? {} : choosePayee(stage, scheme, name)
    const reason = kept ? "overpayment" : "duplicate_payment"
    return createRefund(manager, { policyId, amountCents, reason, ...payee, method })
  }
  const paid = async (scheme: DemoScheme, on: Day, amountCents: number) => {
    const { id, number } = await refunded(scheme, on, amountCents)
    diary.on(addDays(on, 1), () => stepRefund(releaser, id, "release"))
    diary.on(addDays(on, 3), () => stepRefund(manager, id, "complete", addDays(on, 3)))
    return number
  }
  diary.on(addDays(first, 12), () => paid(printers, addDays(first, 12), 9_450_00))
  diary.on(addDays(second, 8), async () => {
    const number = await paid(umhlanga, addDays(second, 8), 2_183_72)
    const text = `RETURNED PAYMENT ${umhlanga.name.toUpperCase()}`
    stage.onlyAtBank.push({ day: addDays(second, 14), text, reference: number, amountCents: 2_183_72 })
  })
  diary.on(addDays(second, 11), () => refunded(soweto, addDays(second, 11), 1_400_00, true))
  diary.on(ago(3), () => refunded(vaal, ago(3), 3_150_00))

  diary.on(addDays(second, 23), () => recordDeposit(stage, addDays(second, 23)))

  for (const scheme of [vaal, limpopo, soweto])
    diary.on(addDays(second, 5), () => playPayment(stage, diary, scheme, addDays(second, 5)))
  diary.on(addDays(second, 13), async () => {
    const batch = await createReleasedBatch(stage)
    diary.on(addDays(batch.executionOn, 1), () => uploadBankAnswer(stage, batch, addDays(batch.executionOn, 1)))
  })
  for (const scheme of [umhlanga, printers]) diary.on(ago(6), () => playPayment(stage, diary, scheme, ago(6)))
  diary.on(ago(2), () => createReleasedBatch(stage))
  for (const scheme of [limpopo, soweto]) diary.on(ago(1), () => playPayment(stage, diary, scheme, ago(1)))
  diary.on(today, () => openBatch(stage))
}

async function openBatch(stage: DemoStage): Promise<BatchDetail> {
  const manager = stage.as(stage.manager)
  const [account] = await manager.banking.accounts({})
  const { rows } = await manager.payouts.list({ paidFor: "claims", tab: "pending", pageSize: 100 })
  return createBatch(
    manager,
    account!.id,
    rows.map(({ id }) => id),
  )
}

async function createReleasedBatch(stage: DemoStage): Promise<BatchDetail> {
  const { batches } = stage.as(stage.manager2).payouts
  const batch = await batches.release(stepInputOf(await openBatch(stage)))
  await runWaitingJobs(stage)
  await batches.export({ batchId: batch.id, idempotencyKey: randomUUID() })
  return batches.detail({ batchId: batch.id })
}

async function uploadBankAnswer(stage: DemoStage, { id, files }: BatchDetail, on: Day): Promise<void> {
  const { rows } = await stage.as(stage.manager).payouts.batches.payments({ batchId: id })
  const said = rows.map(({ endToEndId }, place) => {
    const status = place < rows.length - 1 ? { status: "ACSC" } : { status: "RJCT", code: "AC04" }
    return { endToEndId: endToEndId!, ...status }
  })
  const xml = createPainAnswer(files[0]!.messageId, said).replace(/<CreDtTm>[^<]*/, `<CreDtTm>${on}T06:00:00+02:00`)
  await stage.post.sendAnswer(stage.manager2, id, xml)
  await runWaitingJobs(stage)
}

async function recordDeposit(stage: DemoStage, receivedOn: Day): Promise<void> {
  const { receipts } = stage.as(stage.manager)
  const parts = stage.schemes
    .filter(({ pays }) => pays === "in part")
    .map(({ policyId }, place) => ({ policyId, amountCents: [2_400_00, 3_100_00][place]! }))
  await receipts.recordDeposit({
    idempotencyKey: randomUUID(),
    amountCents: parts.reduce((sum, { amountCents }) => sum + amountCents, 0),
    receivedOn,
    method: "bank_transfer",
    reference: "Protea Brokers",
    notes: "",
    parts,
  })
}
