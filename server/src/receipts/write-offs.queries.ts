import { receiptsContract, type WriteOffRow } from "@milkwood/domain/receipts/receipts.contract"
import { type WriteOff, writeOffActionsOf, writeOffState } from "@milkwood/domain/receipts/write-off"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"

type WriteOffRead = WriteOff & Omit<WriteOffRow, "state" | "allowedActions">

async function readWriteOffs({ tx, actor }: Pick<Cx, "tx" | "actor">, where: SQL): Promise<WriteOffRow[]> {
  const rows = await tx.rows<WriteOffRead>(sql`
    select w.id, w.invoice_id as "invoiceId", i.number as "invoiceNumber", g.name as "groupName", w.net_cents as "netCents",
      w.vat_cents as "vatCents", w.total_cents as "totalCents", w.reason, w.asked_by as "askedBy", w.key_made_by as "keyMadeBy", asker.name as "askedByName",
      w.written_off_on as "writtenOffOn", confirmer.name as "confirmedByName", w.declined_at::text as "declinedAt",
      w.reversed_on as "reversedOn", w.reversed_at::text as "reversedAt", w.reverse_reason as "reverseReason"
    from write_offs w join invoices i on i.id = w.invoice_id join employer_groups g on g.id = w.group_id
    left join users asker on asker.id = w.asked_by left join users confirmer on confirmer.id = w.confirmed_by
    where ${where} order by w.asked_at desc, w.id`)
  return rows.map(({ askedBy, keyMadeBy, declinedAt, reversedAt, ...row }) => {
    const writeOff = { ...row, askedBy, keyMadeBy, declinedAt, reversedAt }
    return { ...row, state: writeOffState(writeOff), allowedActions: writeOffActionsOf(writeOff, ruleActor(actor)) }
  })
}

export const writeOffsOf = (cx: Pick<Cx, "tx" | "actor">, invoiceId: string): Promise<WriteOffRow[]> =>
  readWriteOffs(cx, sql`w.invoice_id = ${invoiceId}`)

export const listWriteOffs = query(receiptsContract.writeOffs, (cx) => writeOffsOf(cx, cx.input.invoiceId))

const isWaiting = sql`w.written_off_on is null and w.declined_at is null`

/**
 * Write-offs `w` that this actor may confirm: not requested by the actor, nor by a service key that the actor created
 * (`writeOffActionsOf`).
 */
export function isWriteOffAwaiting(actor: Actor): SQL {
  const { userId } = ruleActor(actor)
  return sql`${isWaiting} and w.asked_by <> ${userId}::uuid and w.key_made_by is distinct from ${userId}::uuid`
}

export const waitingWriteOffs = query(receiptsContract.waitingWriteOffs, (cx) =>
  readWriteOffs(cx, cx.input.forMe ? isWriteOffAwaiting(cx.actor) : isWaiting),
)
