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
import { may } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { has } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { CardStatements } from "../platform/lists/select-statements.ts"
import type { ListSource, Total } from "../platform/lists/source.ts"
import { policiesWith } from "./in-default.queries.ts"
import { figuresOf } from "./owed.queries.ts"
import { standingsOn } from "./promises.queries.ts"

export const phoneOf = sql`case when p.contact_phone <> '' then p.contact_phone else p.contact_cell end`

const views: Record<string, SQL> = {
  collected: sql`s."collectedCents" > 0`,
  outstanding: sql`s."outstandingCents" > 0`,
  behind: sql`s.rate < 100`,
}

/** Computed only for the rows of the page. */
const latestActivityColumns = {
  lastPaymentOn: sql`(select max(received_on) from receipts r where r.policy_id = s."policyId" and r.reversed_at is null)`,
  lastContactAt: sql`(select max(made_at) from premium_contacts l where l.policy_id = s."policyId")`,
}

const periodOf = (month: string | undefined, today: Day): Day | "all" =>
  month === undefined ? firstOfMonth(today) : month === "all" ? "all" : `${month}-01`

const rows = ({ today, timezone }: Pick<Cx, "today" | "timezone">, month: string | undefined) => sql`
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
    from (${figuresOf(periodOf(month, today), today)}) f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = p.group_id
    left join (${standingsOn(today, timezone)}) c on c.policy_id = f.policy_id`

/** A column's total over every policy, regardless of filters. */
const inAll = (name: string): Total => ({ of: [name], value: sql`coalesce(sum(s.${sql.identifier(name)}), 0)` })

const source: ListSource<typeof collectionList, CollectionRow> = {
  select: (cx, { month }) => rows(cx, month),
  pageColumns: () => latestActivityColumns,
  // Totals need all rows on every page.
  materialized: true,
  search: (pattern) => [{ like: has(sql`s._group`, pattern) }, { like: has(sql`s._policy`, pattern) }],
  sortColumns: { groupName: ["_group"], policyNumber: ["_policy"], rate: ["rate nulls last"] },
  // The source is already limited to the month.
  filters: {
    month: () => sql`true`,
    view: (view: string) => views[view]!,
    task: (task: CollectionTask, cx) => sql`s."policyId" in (select d.id from (${policiesWith[task](cx)}) d)`,
  },
  totals: {
    expectedInAll: inAll("expectedCents"),
    collectedInAll: inAll("collectedCents"),
    outstandingInAll: inAll("outstandingCents"),
    creditInAll: inAll("creditCents"),
  },
  present: (row: Omit<CollectionRow, "allowedActions">, { actor }) => ({
    ...row,
    allowedActions: collectionActionsOf(row, may(ruleActor(actor).role, "collection.write")),
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
