import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { command } from "../platform/calls/commands.ts"
import { bankLineRowsOf } from "./bank-lines.queries.ts"
import { learn } from "./learn-payers.ts"
import { lockOpenLines, placeLines } from "./place-lines.ts"

export const setLinesAside = command(bankingContract.notOurs, async (cx) => {
  const { lineIds, why } = cx.input
  const lines = await lockOpenLines(cx, lineIds)
  const placed = await placeLines(
    cx,
    lines.map((line) => ({ line, kind: why.reason, note: why.note })),
  )
  await learn(
    cx,
    placed,
    lines.map((line) => ({ line, owner: { reason: why.reason } })),
  )
  return bankLineRowsOf(cx, lineIds)
})
