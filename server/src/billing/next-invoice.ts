import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { causeSentence } from "@milkwood/domain/billing/difference-words"
import type { NextInvoice } from "@milkwood/domain/billing/owed-and-billed-shape"
import { addMonths } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { comparedMonthsSql, loadMemberDifferences } from "./difference.queries.ts"
import { findNextMonthToBill } from "./next-period.ts"
import { changedMonthsSql, loadSettledBilling } from "./settled.queries.ts"

/** Above this number of members, causes are only in the run's preview. */
const maxAdjustedMembersListed = 200

/** `adjustedIds` is null if there are too many. */
type Figures = Omit<NextInvoice, "month" | "why"> & { adjustedIds: string[] | null }

/** Uses the same difference as the premium run. */
export const readNextInvoice = query(
  billingContract.nextInvoice,
  async ({ tx, input, now, today, timezone, currency }) => {
    const { id, startOn, status, billedFromOn } = await readPolicy(tx, input.policyId)
    if (!startOn || status === "Draft") return { next: null }
    const month = await findNextMonthToBill(tx, { id, startOn, billedFromOn }, today)
    const settled = await loadSettledBilling(tx, id, now)
    const asked = { policies: sql`${id}::uuid`, month, knownAt: now }
    const laid = settled ? changedMonthsSql(settled, asked) : comparedMonthsSql(asked)
    const isEarlier = sql`month < ${month}::date and owed_cents is not null`
    // `case` instead of a filter, because `distinct` would sort the filtered rows too. Prepared, because planning takes
    // longer than comparing a typical policy.
    const { adjustedIds, ...figures } = (await tx.preparedRow<Figures>(sql`
    select members, "monthCents", "adjustmentsCents", unrated, coalesce(cardinality(ids), 0) as adjusted,
      case when cardinality(ids) <= ${maxAdjustedMembersListed} then ids end as "adjustedIds"
    from (
      select count(*) filter (where month = ${month}::date and owed_cents is not null)::integer as members,
        coalesce(sum(owed_cents - billed_cents) filter (where month = ${month}::date), 0)::bigint as "monthCents",
        coalesce(sum(owed_cents - billed_cents) filter (where ${isEarlier}), 0)::bigint as "adjustmentsCents",
        array_remove(array_agg(distinct case when ${isEarlier} then member_id end), null) as ids,
        count(*) filter (where owed_cents is null)::integer as unrated
      from (${laid}) d) figures`))!
    const { dateFormat } = await readSettings(tx, platformSettings)
    const told = adjustedIds?.length
      ? await loadMemberDifferences(tx, id, { memberIds: adjustedIds, month: addMonths(month, -1), knownAt: now })
      : []
    const why = told.flatMap(({ firstName, lastName, causes }) =>
      causes.map((cause) => causeSentence(cause, `${firstName} ${lastName}`, { dateFormat, timezone, currency })),
    )
    return { next: { month, ...figures, why } }
  },
)
