import {
  type CollectionTask,
  collectionActionsOf,
  collectionRate,
  collectionStatuses,
  overdueDays,
} from "@milkwood/domain/collection/collection"
import { type CollectionRow, collectionContract } from "@milkwood/domain/collection/collection.contract"
import { collectionList } from "@milkwood/domain/collection/collection.list"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { CardStatements } from "../platform/lists/select-statements.ts"
import type { ListSource, Total } from "../platform/lists/source.ts"
import { policiesByTask } from "./in-default.queries.ts"
import { figuresSql } from "./owed.queries.ts"
import { standingsSql } from "./promises.queries.ts"

export const phoneOf = sql`case when p.contact_phone <> '' then p.contact_phone else p.contact_cell end`

const viewConditions: Record<string, SQL> = {
  collected: sql`s."collectedCents" > 0`,
  outstanding: sql`s."outstandingCents" > 0`,
  behind: sql`s.rate < 100`,
}

/** Computed only for the rows of the page. */
const latestActivityColumns = {
  lastPaymentOn: sql`(select max(received_on) from receipts r where r.policy_id = s."policyId" and r.reversed_at is null)`,
  lastContactAt: sql`(select max(made_at) from premium_contacts l where l.policy_id = s."policyId")`,
}

const periodFor = (month: string | undefined, today: Day): Day | "all" =>
  month === undefined ? firstOfMonth(today) : month === "all" ? "all" : `${month}-01`

const collectionRowsSql = ({ today, timezone }: Pick<Cx, "today" | "timezone">, month: string | undefined) => sql`
    select f.policy_id as id, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      p.contact_name as "contactName", p.contact_email as "contactEmail", ${phoneOf} as phone,
      f."expectedCents", f."collectedCents", f."outstandingCents", f."writtenOffCents", f."creditCents",
      f."overdueCents", f."overdueSince", greatest(f."openCents" - f."allCreditCents", 0) as "owedCents",
      f.current, f."days1to30", f."days31to60", f."days61to90", f."over90",
      case when f."expectedCents" > 0 then floor(100.0 * f."collectedCents" / f."expectedCents" + 0.5)::int end as rate,
      case when f."overdueCents" <= 0 then 'Current'
        when f."paidOfOverdueCents" > 0 and ${today}::date - f."overdueSince" < ${overdueDays}::int then 'Partial'
        else 'Overdue' end as status,
      case when f."openCents" > 0 then c.standing end as standing, c.promised_cents as "promisedCents",
      c.promised_on as "promisedOn",
      p.group_id as "_groupId", f.policy_id as "_policyId", lower(g.name) as "_group", lower(p.number) as "_policy"
    from (${figuresSql(periodFor(month, today), today)}) f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = p.group_id
    left join (${standingsSql(today, timezone)}) c on c.policy_id = f.policy_id`

/** The sum of a column over every policy, regardless of filters. */
const sumOfAll = (name: string): Total => ({ of: [name], value: sql`coalesce(sum(s.${sql.identifier(name)}), 0)` })

const source: ListSource<typeof collectionList, CollectionRow> = {
  select: (cx, { month }) => collectionRowsSql(cx, month),
  pageColumns: () => latestActivityColumns,
  // Totals need all rows on every page.
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { groupName: ["_group"], policyNumber: ["_policy"], rate: ["rate nulls last"] },
  // The source is already limited to the month.
  filters: {
    month: () => sql`true`,
    view: (view: string) => viewConditions[view]!,
    task: (task: CollectionTask, cx) => sql`s."policyId" in (select d.id from (${policiesByTask[task](cx)}) d)`,
  },
  totals: {
    expectedInAll: sumOfAll("expectedCents"),
    collectedInAll: sumOfAll("collectedCents"),
    outstandingInAll: sumOfAll("outstandingCents"),
    creditInAll: sumOfAll("creditCents"),
  },
  present: (row: Omit<CollectionRow, "allowedActions">, { actor }) => ({
    ...row,
    allowedActions: collectionActionsOf(row, hasPermission(ruleActor(actor).role, "collection.write")),
  }),
}

/** The cards add up every policy of the month, regardless of filters. */
const statements = new CardStatements(collectionList, source, {
  names: ["view", "task"],
  columns: ["collectedCents", "outstandingCents", "rate", "policyId"],
})

export const collection = new List(collectionList, source, statements)

export const listCollection = query(collectionContract.list, async (cx) => {
  const { figures, ...answer } = await collection.answer(cx, cx.input)
  const of = (name: string) => sumOf(figures, collectionStatuses, name)
  const [expectedCents, collectedCents] = [of("expectedInAll"), of("collectedInAll")]
  const cards = figures && {
    expectedCents,
    collectedCents,
    outstandingCents: of("outstandingInAll"),
    creditCents: of("creditInAll"),
    rate: collectionRate(collectedCents, expectedCents),
  }
  return { ...answer, cards }
})
