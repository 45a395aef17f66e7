import type { MemberRow } from "@milkwood/domain/members/members.contract"
import { lazy } from "react"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"
import { datedActTexts } from "./dated-acts.ts"

const loadEffects = () => import("./bulk-effect.tsx")

const createDatedStep = (
  act: keyof typeof datedActTexts,
  said: Pick<BulkStep<MemberRow>, "label" | "done" | "about"> & { asks?: BulkStep<MemberRow>["asks"] },
): Omit<BulkStep<MemberRow>, "run"> => ({
  ...said,
  danger: datedActTexts[act].danger,
  room: "members",
  may: ({ allowedActions }) => allowedActions.includes(act),
  name: ({ number, firstName, lastName }) => `${firstName} ${lastName}, ${number}`,
  question: (rows) => ({
    title: `${said.label} ${rows.length === 1 ? "1 member" : `${rows.length} members`}?`,
    words: datedActTexts[act].words,
  }),
  asks: { day: datedActTexts[act].on, reason: true, ...said.asks },
})

const createReasonStep = (
  act: "suspend" | "reinstate" | "terminate",
  said: Pick<BulkStep<MemberRow>, "label" | "done" | "about">,
): BulkStep<MemberRow> => ({
  ...createDatedStep(act, said),
  run: ({ id, version }, { day, reason }) => client.members[act]({ memberId: id, version, on: day, reason }),
})

/** Bulk steps with one day and one reason for all selected members. */
export const memberBulkSteps: readonly BulkStep<MemberRow>[] = [
  createReasonStep("suspend", {
    label: "Suspend",
    done: "suspended",
    about: lazy(async () => ({ default: (await loadEffects()).SuspendedEffect })),
  }),
  createReasonStep("reinstate", {
    label: "Reinstate",
    done: "reinstated",
    about: lazy(async () => ({ default: (await loadEffects()).ReinstatedEffect })),
  }),
  {
    ...createDatedStep("changeTier", {
      label: "Change tier of",
      done: "moved to the new tier",
      about: lazy(async () => ({ default: (await loadEffects()).TierEffect })),
      asks: { reason: false, choice: "Choose a benefit tier" },
    }),
    run: ({ id, version }, { day, choice }) =>
      client.members.changeTier({ memberId: id, version, on: day, tierId: String(choice) }),
  },
  createReasonStep("terminate", {
    label: "Terminate",
    done: "terminated",
    about: lazy(async () => ({ default: (await loadEffects()).TerminatedEffect })),
  }),
]
