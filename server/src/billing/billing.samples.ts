import { randomUUID } from "node:crypto"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { RunOutcome } from "@milkwood/domain/billing/billing-run"
import type { InvoiceFormInput } from "@milkwood/domain/billing/invoice-form"
import type { contract } from "@milkwood/domain/contract"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "billing">

interface RunClient {
  manager: Client
  runJobs(): Promise<unknown>
}

export async function createPreviewedRun({ manager, runJobs }: RunClient, month: Day, policyIds: string[] | null) {
  const { runs } = manager.billing
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds })
  await runJobs()
  return runs.detail({ runId })
}

export async function createPremiumRun(
  runner: RunClient,
  month: Day,
  policyIds: string[] | null,
  outcome: RunOutcome = "sent",
) {
  const { runs } = runner.manager.billing
  const { id: runId, version } = await createPreviewedRun(runner, month, policyIds)
  await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome })
  await runner.runJobs()
  return runs.detail({ runId })
}

export interface InvoiceSample {
  policyId: string
  /** Any day of the billed month. */
  month: Day
  /** The due date is 30 days later. */
  invoiceOn: Day
  with?: Partial<InvoiceFormInput>
}

/** The invoice has a line for each paying member. */
export async function createDraftInvoice(manager: Client, sample: InvoiceSample): Promise<InvoiceDetail> {
  const { policyId, month, invoiceOn } = sample
  const filled = await manager.billing.fillLines({ policyId, month, invoiceOn })
  return manager.billing.generate({
    idempotencyKey: randomUUID(),
    invoice: {
      policyId,
      kind: "premium",
      invoiceOn,
      dueOn: addDays(invoiceOn, 30),
      periodStartOn: filled.periodStartOn,
      periodEndOn: filled.periodEndOn,
      lines: filled.lines,
      ...sample.with,
    },
  })
}

export async function createPendingInvoice(manager: Client, sample: InvoiceSample): Promise<InvoiceDetail> {
  const { id, version } = await createDraftInvoice(manager, sample)
  return manager.billing.approve({ invoiceId: id, version })
}

export async function createSentInvoice(manager: Client, sample: InvoiceSample): Promise<InvoiceDetail> {
  const { id, version } = await createDraftInvoice(manager, sample)
  return manager.billing.send({ invoiceId: id, version, idempotencyKey: randomUUID() })
}

export async function createCancelledInvoice(manager: Client, sample: InvoiceSample): Promise<InvoiceDetail> {
  const { id, version } = await createDraftInvoice(manager, sample)
  return manager.billing.cancel({ invoiceId: id, version, reason: "Made for the wrong month" })
}

/** Credits the whole invoice unless an amount is given. */
export async function createCreditedInvoice(
  manager: Client,
  sample: InvoiceSample & { creditCents?: number },
): Promise<InvoiceDetail> {
  const { id } = await createSentInvoice(manager, sample)
  return manager.billing.credit({
    invoiceId: id,
    idempotencyKey: randomUUID(),
    amountCents: sample.creditCents ?? null,
    reason: "A member had left before the month began",
  })
}
