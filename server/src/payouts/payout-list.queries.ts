import { join } from "node:path"
import { allowedPayoutActions } from "@milkwood/domain/payouts/payout"
import { type PayoutRow, payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { type PaidFor, payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { hasPermission, type RuleActor } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { memberSearchValues } from "../members/members.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { normalizeSearchText } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import { SqlFileStatements } from "../platform/lists/sql-file-statements.ts"
import { readSettings } from "../platform/settings/store.ts"
import { claimsToPay, waitingForPayment } from "./payouts.ports.ts"
import { guardSql, isWaitingForRelease, type PayoutGuard } from "./payouts.queries.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & { _guard: PayoutGuard | null }
const waitingClaimActions = ({ role }: RuleActor): PayoutRow["allowedActions"] =>
  hasPermission(role, "payouts.write") ? ["process"] : []
type PayoutActionInput = SourceCx & Parameters<typeof allowedPayoutActions>[2]

const subjectKinds: Record<PaidFor, string | undefined> = { claims: "claim", refunds: "refund", all: undefined }

const createPayoutList = (paidFor: PaidFor) =>
  new List<typeof payoutsList, PayoutRow>(
    payoutsList,
    {
      present: ({ _guard, ...row }: StoredRow, { actor, ...asking }: PayoutActionInput) => ({
        ...row,
        allowedActions: _guard
          ? allowedPayoutActions(_guard, ruleActor(actor), asking)
          : waitingClaimActions(ruleActor(actor)),
      }),
    },
    new SqlFileStatements(payoutsList, {
      file: join(import.meta.dirname, "payouts.list.sql"),
      sortColumns: {
        number: ["number"],
        memberName: ["last_name_key", "name_key"],
        amountCents: ["amount_cents"],
        createdAt: ["created_at", "number"],
        completedOn: ["completed_on nulls last"],
        needsAction: ["needs_action", "created_at", "number"],
      },
      joinedColumns: ["last_name_key"],
      values: (asked, { actor }, bound) => ({
        subject_kind: subjectKinds[paidFor],
        claims_to_pay: claimsToPay(),
        waits_for_me: asked.forMe
          ? sql`and o.id in (select o.id from payouts o where ${isWaitingForRelease(actor)})`
          : sql``,
        guard: sql`, (select ${guardSql(sql`g`)} from payouts g where g.id = o.id) as _guard`,
        ...(asked.search ? memberSearchValues(normalizeSearchText(asked.search), actor) : {}),
        from_name: bound?.column === "last_name_key" && !bound.isLast ? true : undefined,
        to_name: bound?.column === "last_name_key" && bound.isLast ? true : undefined,
      }),
      searchLimit: () => 10_000,
    }),
  )

const lists = { claims: createPayoutList("claims"), refunds: createPayoutList("refunds"), all: createPayoutList("all") }

export const payouts = lists.claims

export const listPayouts = query(payoutsContract.list, async (cx) => {
  const [waiting, settings] = await Promise.all([waitingForPayment(cx.tx), readSettings(cx.tx, payoutsSettings)])
  const { figures, ...answer } = await lists[cx.input.paidFor].answer(cx, cx.input, { ...settings, now: cx.now })
  const of = (...statuses: string[]) =>
    figures && { count: sumOf(figures, statuses, "count"), cents: sumOf(figures, statuses, "amountCents") }
  const cards = { waiting, underway: of("pending", "processing", "failed"), completed: of("completed") }
  return { ...answer, cards }
})
