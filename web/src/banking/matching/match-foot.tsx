import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import type { LineCandidate } from "@milkwood/domain/banking/matching.contract"
import type { ReactNode } from "react"
import { MoneyText } from "../../ui/money.tsx"
import classes from "./matching.module.css"
import { remainingCentsOf, type TypedPart } from "./split-panel.tsx"

interface MatchFootProps {
  line: BankLineRow
  meant: readonly BankLineRow[]
  typed: readonly TypedPart[] | undefined
  candidate: LineCandidate | undefined
  children: ReactNode
}

export function MatchFoot({ line, meant, typed, candidate, children }: MatchFootProps) {
  const cents = meant.length > 1 ? meant.reduce((sum, { amountCents }) => sum + amountCents, 0) : line.amountCents
  const paid = (candidate?.parts ?? [])
    .flatMap(({ allocations }) => allocations ?? [])
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const open = (candidate?.parts ?? [])
    .flatMap(({ allocations }) => allocations ?? [])
    .reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)
  const left = typed ? remainingCentsOf(typed, line.amountCents) : 0
  const isPremium = !typed && candidate?.kind === "policy" && meant.length === 1
  return (
    <div className={classes.foot}>
      <div className={classes.difference} aria-live="polite">
        <span>
          {meant.length > 1 ? `${meant.length} lines together` : "Line"}{" "}
          <strong>
            <MoneyText cents={cents} />
          </strong>
        </span>
        {typed && (
          <span data-apart={left !== 0 || undefined}>
            {left < 0 ? "Over by" : "Left to split"}{" "}
            <strong>
              <MoneyText cents={Math.abs(left)} />
            </strong>
          </span>
        )}
        {isPremium && (
          <>
            <span>
              Allocated to invoices{" "}
              <strong>
                <MoneyText cents={paid} />
              </strong>
            </span>
            <span>
              {cents > paid ? "Credit" : "Left to pay"}{" "}
              <strong>
                <MoneyText cents={cents > paid ? cents - paid : open - paid} />
              </strong>
            </span>
          </>
        )}
      </div>
      {children}
    </div>
  )
}
