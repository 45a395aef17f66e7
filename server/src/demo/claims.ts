import type { CauseOfDeath, ClaimType } from "@milkwood/domain/claims/claim"
import { missingDocuments } from "@milkwood/domain/claims/required-documents"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Relationship } from "@milkwood/domain/members/member"
import {
  type ClaimActors,
  type ClaimSample,
  createApprovedClaim,
  createClaimPendingAt,
  createClaimWithWithdrawnApproval,
  createDraftClaim,
  createRejectedClaim,
  createReviewedClaim,
  createRoutedClaim,
  createSubmittedClaim,
  createWithdrawnClaim,
  reopenClaim,
} from "../claims/claims.samples.ts"
import {
  completePayout,
  createCompletedPayout,
  createPayout,
  createReleasedPayout,
  releasePayout,
} from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import type { Diary } from "./diary.ts"
import { playNotes } from "./notes.ts"
import { choosePayee, prepareDeathPayments } from "./payees.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

interface Story {
  claimType: ClaimType
  /** The insured person; the member if omitted. */
  of?: Relationship
  causeOfDeath?: CauseOfDeath
  description: string
  diagnosis: string
  hospitalName: string
  doctorName: string
  treatmentDetails: string
  incidentCountry?: string
  /** Approximate amount in cents. */
  about: number
}

const healthStories: Story[] = [
  {
    claimType: "medical",
    description: "Fell from a ladder at work",
    diagnosis: "Fractured wrist",
    hospitalName: "Groote Schuur Hospital",
    doctorName: "Dr N Adams",
    treatmentDetails: "Open reduction, cast for six weeks",
    about: 18_500_00,
  },
  {
    claimType: "medical",
    description: "Admitted with chest pains",
    diagnosis: "Unstable angina",
    hospitalName: "Milpark Hospital",
    doctorName: "Dr S Pillay",
    treatmentDetails: "Angiogram and stent",
    about: 46_200_00,
  },
  {
    claimType: "maternity",
    description: "Birth of a daughter",
    diagnosis: "Normal delivery",
    hospitalName: "Netcare Park Lane",
    doctorName: "Dr T Mabuza",
    treatmentDetails: "Two nights in the ward",
    about: 14_800_00,
  },
  {
    claimType: "medical",
    description: "Appendix removed in an emergency on holiday",
    diagnosis: "Acute appendicitis",
    hospitalName: "Hospital Central de Maputo",
    doctorName: "Dr J Machava",
    incidentCountry: "MZ",
    treatmentDetails: "Laparoscopic appendectomy",
    about: 15_450_50,
  },
]
const lifeStories: Story[] = [
  {
    claimType: "death",
    causeOfDeath: "accident",
    description: "Died after a road accident on the N1",
    diagnosis: "",
    hospitalName: "",
    doctorName: "",
    treatmentDetails: "",
    about: 120_000_00,
  },
  {
    claimType: "disability",
    description: "Lost the use of the right hand at a press",
    diagnosis: "Crush injury",
    hospitalName: "Charlotte Maxeke Hospital",
    doctorName: "Dr L Naidoo",
    treatmentDetails: "Two operations, rehabilitation",
    about: 55_000_00,
  },
  {
    claimType: "death",
    of: "spouse",
    causeOfDeath: "natural",
    description: "Died after a long illness",
    diagnosis: "",
    hospitalName: "",
    doctorName: "",
    treatmentDetails: "",
    about: 18_000_00,
  },
  {
    claimType: "death",
    of: "child",
    causeOfDeath: "accident",
    description: "Died in a drowning accident",
    diagnosis: "",
    hospitalName: "",
    doctorName: "",
    treatmentDetails: "",
    about: 9_500_00,
  },
]

/** Of older claims: past their promise, or waiting for documents. */
const slowOutcomes = ["under_review", "pending_underwriter", "documents asked", "documents missing"] as const

const claimOutcomes = [
  "draft",
  "submitted",
  "under_review",
  "pending_group_admin",
  "pending_underwriter",
  "pending_policy_holder",
  "approved",
  "rejected",
  "payment made",
  "payment released",
  "paid",
  "paid",
] as const

const laterOutcomes = ["withdrawn", "appeal", "approval withdrawn"] as const

type Outcome = (typeof claimOutcomes)[number] | (typeof laterOutcomes)[number] | (typeof slowOutcomes)[number]

export function playClaims(stage: DemoStage, diary: Diary, months: readonly Day[], today: Day): void {
  let next = 0
  for (const [index, month] of months.entries()) {
    for (const scheme of stage.schemes) {
      if (!stage.chance.chance(0.3)) continue
      const old = index < months.length - 2
      const end = old
        ? stage.chance.pick(["paid", "paid", "paid", "rejected"] as const)
        : claimOutcomes[next++ % claimOutcomes.length]!
      const filedOn = addDays(month, stage.chance.between(2, 12))
      if (filedOn < today) diary.on(filedOn, () => playClaim(stage, diary, scheme, end, { filedOn, today }))
    }
  }
  // These claims guarantee one in every status, whatever today's date is.
  for (const end of [...claimOutcomes, ...laterOutcomes]) {
    const scheme = stage.schemes[next++ % stage.schemes.length]!
    const filedOn = addDays(today, -stage.chance.between(1, 11))
    diary.on(filedOn, () => playClaim(stage, diary, scheme, end, { filedOn, today }))
  }
  for (const end of slowOutcomes) {
    const scheme = stage.schemes[next++ % stage.schemes.length]!
    const filedOn = addDays(today, -stage.chance.between(18, 24))
    diary.on(filedOn, () => playClaim(stage, diary, scheme, end, { filedOn, today }))
  }
}

export const playPayment = (stage: DemoStage, diary: Diary, scheme: DemoScheme, on: Day) =>
  playClaim(stage, diary, scheme, "payment made", { filedOn: on, today: on })

export function castOf(stage: DemoStage, scheme: DemoScheme): ClaimActors {
  // Each step of a claim is some time after the one before.
  const laterAs = (actor: UserActor) => ({
    get claims() {
      stage.passTime()
      return stage.as(actor).claims
    },
  })
  return {
    captures: stage.as(scheme.hr),
    manager: laterAs(stage.manager),
    group_admin: laterAs(scheme.hr2),
    underwriter: laterAs(stage.underwriter),
    policy_holder: laterAs(scheme.signatory),
    attach: (draft) => stage.post.attachPapers(scheme.hr, stage.as(scheme.hr), draft),
  }
}

async function playClaim(
  stage: DemoStage,
  diary: Diary,
  scheme: DemoScheme,
  end: Outcome,
  { filedOn, today }: { filedOn: Day; today: Day },
): Promise<unknown> {
  const { chance } = stage
  const cast = castOf(stage, scheme)
  const { about, of, ...story } = chance.pick(scheme.product === "Group Life" ? lifeStories : healthStories)
  const benefit = {
    death: of ? "Funeral benefit" : "Death benefit",
    disability: "Disability benefit",
    medical: "Hospital benefit",
    maternity: "Maternity benefit",
    other: "Funeral benefit",
  }[story.claimType]
  const requestedAmountCents = Math.round((about * chance.between(70, 100)) / 100)
  const incidentOn = addDays(filedOn, -chance.between(1, 20))
  const insured = await chooseInsured(stage, scheme, of, incidentOn)
  if (story.claimType === "death" && !insured.dependentId)
    scheme.memberIds = scheme.memberIds.filter((id) => id !== insured.memberId)
  const sample: ClaimSample = {
    ...story,
    ...insured,
    benefitId: stage.benefits.benefits[benefit]!,
    incidentOn,
    notificationOn: filedOn,
    claimAmountCents: requestedAmountCents,
    requestedAmountCents,
    billNumber: story.hospitalName && `INV-${requestedAmountCents % 100_000}`,
  }
  const maker = stage.as(stage.manager)
  const releaser = stage.as(stage.manager2)
  const paidOn = addDays(filedOn, 9) < today ? addDays(filedOn, 9) : today
  switch (end) {
    case "draft":
      return createDraftClaim(cast, sample)
    case "submitted":
      return createSubmittedClaim(cast, sample)
    case "documents missing":
    case "documents asked": {
      const { attach: _, ...withoutPapers } = cast
      const { id: claimId, version, requiredDocuments } = await createSubmittedClaim(withoutPapers, sample)
      if (end === "documents missing") return
      const missing = missingDocuments(requiredDocuments).flatMap((types) => types.slice(0, 1))
      const documents = missing.length > 0 ? missing : (["other"] as const)
      return cast.manager.claims.requestDocuments({
        claimId,
        version,
        documents: [...documents],
        note: "Please send these.",
      })
    }
    case "under_review": {
      const claim = await createReviewedClaim(cast, sample)
      const { version } = await cast.manager.claims.reserve.detail({ claimId: claim.id })
      await cast.manager.claims.reserve.set({
        claimId: claim.id,
        version,
        amountCents: Math.ceil(requestedAmountCents / 8_000_00) * 10_000_00,
        reason: story.hospitalName
          ? "The hospital expects a further account."
          : benefit === "Funeral benefit"
            ? "The family expects a further invoice from the undertaker."
            : "The salary on record may be too low.",
      })
      return playNotes(stage, claim, today)
    }
    case "pending_group_admin":
      return createRoutedClaim(cast, sample)
    case "pending_underwriter":
    case "pending_policy_holder":
      return playNotes(
        stage,
        await createClaimPendingAt(cast, end === "pending_underwriter" ? "underwriter" : "policy_holder", sample),
        today,
      )
    case "rejected":
      return createRejectedClaim(cast, sample)
    case "withdrawn":
      return createWithdrawnClaim(cast, sample)
    case "appeal": {
      const { id } = await createRejectedClaim(cast, sample)
      return diary.on(paidOn, () => reopenClaim(cast, id, paidOn))
    }
    case "approval withdrawn":
      return createClaimWithWithdrawnApproval(cast, sample)
    case "approved":
      return createApprovedClaim(cast, sample)
    case "payment made":
    case "payment released":
    case "paid": {
      const { id, member } = await createApprovedClaim(cast, sample)
      if (story.claimType === "death") {
        const prepare = () => prepareDeathPayments(stage, scheme, id)
        if (end === "payment made") return prepare()
        if (end === "payment released") {
          for (const payoutId of await prepare()) await releasePayout(releaser, payoutId)
          return
        }
        return diary.on(paidOn, async () => {
          for (const payoutId of await prepare()) await completePayout(releaser, payoutId, paidOn)
        })
      }
      const payee = choosePayee(stage, scheme, `${member.firstName} ${member.lastName}`)
      if (end === "payment made") return createPayout(maker, id, payee)
      if (end === "payment released") return createReleasedPayout(maker, releaser, id, payee)
      return diary.on(paidOn, () => createCompletedPayout(maker, releaser, id, paidOn, payee))
    }
  }
}

/** A member who was covered on the incident day, with a covered dependent of that relationship; schemes have families. */
async function chooseInsured(
  stage: DemoStage,
  { memberIds }: DemoScheme,
  of: Relationship | undefined,
  incidentOn: Day,
): Promise<{ memberId: string; dependentId: string | null }> {
  const manager = stage.as(stage.manager)
  const from = stage.chance.between(0, memberIds.length - 1)
  for (const memberId of [...memberIds.slice(from), ...memberIds.slice(0, from)]) {
    if (!of) {
      const { startOn } = await manager.members.detail({ memberId })
      if (startOn <= incidentOn) return { memberId, dependentId: null }
      continue
    }
    const { dependents } = await manager.claims.benefits({ memberId, incidentOn })
    const found = dependents.find(
      ({ id, relationship, isCovered }) => isCovered && relationship === of && !stage.deceased.has(id),
    )
    if (!found) continue
    // Stories of dependents are deaths.
    stage.deceased.add(found.id)
    return { memberId, dependentId: found.id }
  }
  throw new Error(`no member of the scheme ${of ? `has a covered ${of}` : "was covered"} on ${incidentOn}`)
}
