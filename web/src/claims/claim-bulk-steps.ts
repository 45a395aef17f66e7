import type { ClaimRow } from "@milkwood/domain/claims/claim-shape"
import { lazy } from "react"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"

const claimCountText = (rows: readonly ClaimRow[]) => (rows.length === 1 ? "1 claim" : `${rows.length} claims`)
const nameOf = ({ number, member }: ClaimRow) => `${number}, ${member.firstName} ${member.lastName}`

const BulkReviewerSelect = lazy(() => import("./reviewer-select.tsx"))

/** The row's version refuses a claim that another user has changed since the list was loaded. */
export const createClaimBulkSteps = <Row extends ClaimRow>(): readonly BulkStep<Row>[] => [
  {
    label: "Route",
    done: "routed for approval",
    room: "claims",
    may: ({ allowedActions }) => allowedActions.includes("route"),
    name: nameOf,
    question: (rows) => ({
      title: `Route ${claimCountText(rows)} for approval?`,
      words:
        "The group administrator, the underwriter and the policy holder decide each claim, in this order. A claim can be edited again only if it is sent back.",
    }),
    run: ({ id, version }) => client.claims.route({ claimId: id, version }),
  },
  {
    label: "Assign",
    done: "assigned",
    room: "claims",
    may: ({ allowedActions }) => allowedActions.includes("reassign"),
    name: nameOf,
    question: (rows) => ({
      title: `Assign ${claimCountText(rows)}?`,
      words: "This starts the review of submitted claims. The reviewer is notified of each claim.",
    }),
    asks: { choice: "Choose a person" },
    about: BulkReviewerSelect,
    run: ({ id, version }, { choice }) => client.claims.reassign({ claimId: id, version, userId: String(choice) }),
  },
]
