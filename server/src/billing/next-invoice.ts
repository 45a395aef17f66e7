import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { causeSentence } from "@milkwood/domain/billing/difference-words"
import type { NextInvoice } from "@milkwood/domain/billing/owed-and-billed-shape"
import { addMonths } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { policyById } from "../policies/policies.queries.ts"
import { compared, differenceOfMembers } from "./difference.queries.ts"
import { nextMonthToBill } from "./next-period.ts"
import { comparedSince, settledMonths } from "./settled.queries.ts"

/** Of more members than this the causes are not told one by one: the run's preview does. */
const toldAtMost = 200

/** `adjustedIds` is null where they are not told. */
type Figures = Omit<NextInvoice, "month" | "why"> & { adjustedIds: string[] | null }

/** What the next invoice of a policy will hold, from the same difference as the premium run. */
export const nextInvoice = query(billingContract.nextInvoice, async ({ tx, input, now, today, timezone, currency }) => {
  const { id, startOn, status, billedFromOn } = await policyById(tx, input.policyId)
  if (!startOn || status === "Draft") return { next: null }
  const month = await nextMonthToBill(tx, { id, startOn, billedFromOn }, today)
  const settled = await settledMonths(tx, id, now)
  const asked = { policies: sql`${id}::uuid`, month, knownAt: now }
  const laid = settled ? comparedSince(settled, asked) : compared(asked)
  const isEarlier = sql`month < ${month}::date and owed_cents is not null`
  // What is owed and no premium covers has no cents, and is laid against what was billed only once. Members to tell apart
  // are put in order with all that a filter leaves out: a case has nothing of those to compare.
  // Prepared, since one plan is right for any policy: to make it takes longer than to lay a usual one's months side by side.
  const { adjustedIds, ...figures } = (await tx.preparedRow<Figures>(sql`
    select members, "monthCents", "adjustmentsCents", unrated, coalesce(cardinality(ids), 0) as adjusted,
      case when cardinality(ids) <= ${toldAtMost} then ids end as "adjustedIds"
    from (
      select count(*) filter (where month = ${month}::date and owed_cents is not null)::integer as members,
        coalesce(sum(owed_cents - billed_cents) filter (where month = ${month}::date), 0)::bigint as "monthCents",
        coalesce(sum(owed_cents - billed_cents) filter (where ${isEarlier}), 0)::bigint as "adjustmentsCents",
        array_remove(array_agg(distinct case when ${isEarlier} then member_id end), null) as ids,
        count(*) filter (where owed_cents is null)::integer as unrated
      from (${laid}) d) figures`))!
  const { dateFormat } = await readSettings(tx, platformSettings)
  const told = adjustedIds?.length
    ? await differenceOfMembers(tx, id, { memberIds: adjustedIds, month: addMonths(month, -1), knownAt: now })
    : []
  const why = told.flatMap(({ firstName, lastName, causes }) =>
    causes.map((cause) => causeSentence(cause, `${firstName} ${lastName}`, { dateFormat, timezone, currency })),
  )
  return { next: { month, ...figures, why } }
})
