import { randomUUID } from "node:crypto"
import { addDays, addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { jobs } from "../jobs.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { addNewMember } from "./cast.ts"
import { Diary } from "./diary.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

/** Bank lines of this many recent days stay unmatched. */
export const unmatchedDays = 8

/**
 * A premium run on each 1st, payments by habit, and changes recorded in time or late, which later runs bill and credit.
 */
export async function playYear(
  stage: DemoStage,
  months: readonly Day[],
  today: Day,
  more: (diary: Diary) => void,
): Promise<void> {
  const diary = new Diary()
  for (const [index, month] of months.entries())
    diary.on(month, () => billMonth(stage, diary, { month, monthsAgo: months.length - 1 - index, today }))
  recordBackdatedChanges(stage, diary, months)
  recordUpcomingChanges(stage, diary, today)
  more(diary)
  await diary.play(today, stage.on)
}

export const runWaitingJobs = ({ app }: DemoStage) => runDueJobs(app, jobs, new AbortController().signal)

async function previewRunFor(stage: DemoStage, month: Day, policyIds: string[] | null = null) {
  const { runs } = stage.as(stage.manager).billing
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds })
  await runWaitingJobs(stage)
  return runs.detail({ runId })
}

/** Sends a premium run; returns its policies. */
async function sendRunFor(stage: DemoStage, month: Day, policyIds: string[] | null = null) {
  const { runs } = stage.as(stage.manager).billing
  const { id: runId, version } = await previewRunFor(stage, month, policyIds)
  await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "sent" })
  await runWaitingJobs(stage)
  return (await runs.policies({ runId, pageSize: 100 })).rows
}

/** For months more than six months ago, every employer pays in full. */
async function billMonth(
  stage: DemoStage,
  diary: Diary,
  { month, monthsAgo, today }: { month: Day; monthsAgo: number; today: Day },
): Promise<void> {
  const billed = new Map((await sendRunFor(stage, month)).map((row) => [row.policyId, row]))
  for (const { name, policyId, pays } of stage.schemes) {
    const { totalCents, invoiceNumber } = billed.get(policyId)!
    if (pays === "no more" && monthsAgo < 2) continue
    const habit = pays === "no more" || (monthsAgo > 5 && pays !== "late") ? "promptly" : pays
    const days = { promptly: 6, late: 41, "in part": 18, hardly: 70 }[habit] + stage.chance.between(0, 5)
    const share = habit === "in part" ? 0.7 : habit === "hardly" ? 0.35 : 1
    const amountCents = Math.round(totalCents * share) + (stage.chance.chance(0.08) ? 100_00 : 0)
    const receivedOn = addDays(month, days)
    // Recent payments are on the bank statement, but not recorded in the product yet.
    if (receivedOn > addDays(today, -unmatchedDays)) {
      const text = `CREDIT TRANSFER ${name.toUpperCase()}`
      stage.onlyAtBank.push({ day: receivedOn, text, reference: `EFT ${invoiceNumber}`, amountCents })
      continue
    }
    diary.on(receivedOn, () =>
      recordedReceipt(stage.as(stage.manager), {
        policyId,
        amountCents,
        receivedOn,
        reference: `EFT ${invoiceNumber}`,
      }),
    )
  }
}

/** Changes recorded after their months had been billed. */
function recordBackdatedChanges(stage: DemoStage, diary: Diary, months: readonly Day[]): void {
  const of = (name: string) => stage.schemes.find((scheme) => scheme.name === name)!
  const [soweto, vaal] = [of("Soweto Retail Holdings"), of("Vaal Engineering")]
  const [highveld, umhlanga] = [of("Highveld Steel Works"), of("Umhlanga Logistics")]
  const [tableBay, limpopo, gardenRoute] = [
    of("Table Bay Fisheries"),
    of("Limpopo Citrus Estates"),
    of("Garden Route Hotels"),
  ]
  /** The day `days` after the 1st of `months[place]`. */
  const at = (place: number, days = 0) => addDays(months[place]!, days)

  diary.on(at(3, 9), () => addNewMember(stage, vaal, at(2)))
  diary.on(at(5, 17), () => terminateMember(stage, soweto, at(3, 19), "Resigned"))
  diary.on(at(6, 11), () => raisePremium(stage, highveld, 540_00, at(5)))
  diary.on(at(7, 20), () => raisePremium(stage, limpopo, 325_00, at(9)))
  const away = umhlanga.memberIds.pop()!
  diary.on(at(8, 4), () => changeMember(stage, umhlanga, away, "suspend", at(7, 10), "Unpaid leave"))
  diary.on(at(9, 2), () => changeMember(stage, umhlanga, away, "reinstate", at(9, 14), "Back from unpaid leave"))
  for (const started of [at(8), at(8), at(9)]) diary.on(at(9, 20), () => addNewMember(stage, gardenRoute, started))
  // The month was already billed: a second run credits the leavers.
  for (const reason of ["Retired", "Retired", "Contract ended"])
    diary.on(at(9, 12), () => terminateMember(stage, tableBay, at(8, -1), reason))
  diary.on(at(9, 14), () => sendRunFor(stage, at(9), [tableBay.policyId]))
  diary.on(at(9, 15), () => creditGoodwill(stage, of("Bloemfontein Printers").policyId))
}

/** Changes that the next run bills and credits. */
function recordUpcomingChanges(stage: DemoStage, diary: Diary, today: Day): void {
  const [soweto, vaal, highveld] = stage.schemes as [DemoScheme, DemoScheme, DemoScheme]
  const month = firstOfMonth(today)
  const mover = vaal.memberIds.pop()!
  const away = vaal.memberIds.pop()!
  diary.on(today, async () => {
    await addNewMember(stage, soweto, addDays(addMonths(month, -1), -12))
    await terminateMember(stage, highveld, addDays(addMonths(month, -1), -4), "Dismissed")
    await terminateMember(stage, vaal, today, "Resigned")
    await changeMember(stage, vaal, away, "suspend", today, "Unpaid leave")
    const hr = stage.as(vaal.hr)
    const { version } = await hr.members.detail({ memberId: mover })
    const tierId = stage.benefits.tiers.Gold!
    await hr.members.changeTier({ memberId: mover, version, tierId, on: addMonths(month, 1) })
    // One employer is billed a month ahead, so its premium is unearned until then.
    const ahead = stage.schemes.find(({ name }) => name === "Richards Bay Freight")!
    await sendRunFor(stage, addMonths(month, 1), [ahead.policyId])
    await previewRunFor(stage, addMonths(month, 1))
  })
}

const terminateMember = (stage: DemoStage, scheme: DemoScheme, on: Day, reason: string) =>
  changeMember(stage, scheme, scheme.memberIds.pop()!, "terminate", on, reason)

async function changeMember(
  stage: DemoStage,
  { hr }: DemoScheme,
  memberId: string,
  how: "terminate" | "suspend" | "reinstate",
  on: Day,
  reason: string,
) {
  const { members } = stage.as(hr)
  const { version } = await members.detail({ memberId })
  await members[how]({ memberId, version, on, reason })
}

async function raisePremium(stage: DemoStage, { policyId }: DemoScheme, premiumCents: number, premiumFromOn: Day) {
  const { policies } = stage.as(stage.manager)
  const { version, coverage } = await policies.detail({ policyId })
  await policies.updateSection({
    policyId,
    version,
    change: { section: "coverage", values: { ...coverage, premiumCents, premiumFromOn } },
  })
}

/** Grants a concession on an invoice. */
async function creditGoodwill(stage: DemoStage, policyId: string) {
  const { billing } = stage.as(stage.manager)
  const [newest] = (await billing.list({ policyId })).rows
  await billing.credit({
    invoiceId: newest!.id,
    idempotencyKey: randomUUID(),
    kind: "concession",
    amountCents: 250_00,
    reason: "For the trouble with the membership cards",
  })
}
