import { addDays, addMonths, type Day } from "@milkwood/domain/kernel/calendar"
import type { NomineeInput } from "@milkwood/domain/members/nominations.contract"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { completePayout } from "../payouts/payouts.samples.ts"
import { castOf } from "./claims.ts"
import type { Diary } from "./diary.ts"
import { prepareDeathPayments } from "./payees.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

const nominatedDaysAgo = 60

/** Members with beneficiaries, and a death with two, of whom one is under 18. */
export function playHeirs(stage: DemoStage, diary: Diary, today: Day): void {
  const ago = (days: number) => addDays(today, -days)
  const life = stage.schemes.filter(({ product }) => product === "Group Life")
  let deceased: string | undefined
  diary.on(ago(nominatedDaysAgo), async () => {
    const nominatedOn = ago(nominatedDaysAgo)
    for (const scheme of life) {
      for (const memberId of scheme.memberIds.slice(0, 4)) await nominateFamily(stage, scheme, memberId, nominatedOn)
    }
    // Other stories choose among the remaining members.
    deceased = life[0]!.memberIds.shift()
  })
  // A replaced nomination has a history.
  diary.on(ago(20), () => nominateFamily(stage, life[0]!, life[0]!.memberIds[0]!, ago(20), true))
  diary.on(ago(10), () => approveDeath(stage, diary, life[0]!, deceased!, ago(10), ago(1)))
}

async function nominateFamily(
  stage: DemoStage,
  { hr }: DemoScheme,
  memberId: string,
  fromOn: Day,
  isLater = false,
): Promise<void> {
  const { members } = stage.as(hr)
  const { personal } = await members.detail({ memberId })
  const family = (name: string, values: Partial<NomineeInput>): NomineeInput => ({
    ...{
      name: `${name} ${personal.lastName}`,
      relationship: "child",
      idNumber: null,
      dateOfBirth: addMonths(fromOn, -420),
    },
    ...{ phone: "", email: "", bank: "", branchCode: "", accountNumber: "", shareBasisPoints: 10_000 },
    ...values,
  })
  const account = { bank: "Capitec Bank", branchCode: "470010", accountNumber: "1402938475" }
  const spouse = family("Nomsa", { relationship: "spouse", shareBasisPoints: isLater ? 5_000 : 6_000, ...account })
  const child = family("Lindiwe", { dateOfBirth: addMonths(fromOn, -132), shareBasisPoints: isLater ? 2_500 : 4_000 })
  const brother = family("Bongani", { relationship: "sibling", shareBasisPoints: 2_500 })
  const nominees = isLater ? [spouse, child, brother] : [spouse, child]
  await members.nominations.record({ memberId, fromOn, nominees })
}

/** The spouse is paid; the child's payment, through a guardian, waits for release. */
async function approveDeath(
  stage: DemoStage,
  diary: Diary,
  scheme: DemoScheme,
  memberId: string,
  filedOn: Day,
  paidOn: Day,
): Promise<void> {
  const claim = await createApprovedClaim(castOf(stage, scheme), {
    ...{ memberId, benefitId: stage.benefits.benefits["Death benefit"]!, claimType: "death" },
    ...{ incidentOn: addDays(filedOn, -6), notificationOn: filedOn },
    ...{ claimAmountCents: 90_000_00, requestedAmountCents: 90_000_00 },
    ...{ description: "Died of a heart attack at home", diagnosis: "", hospitalName: "", doctorName: "" },
    treatmentDetails: "",
  })
  diary.on(paidOn, async () => {
    const [first] = await prepareDeathPayments(stage, scheme, claim.id)
    await completePayout(stage.as(stage.manager2), first!, paidOn)
  })
}
