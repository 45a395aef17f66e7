import { MoneyText } from "../ui/money.tsx"

interface OwesHintProps {
  owedCents: number
  overdueCents: number
  creditCents?: number | null
}

/** Under an owed amount. A credit is named if nothing is overdue. */
export function OwesHint({ owedCents, overdueCents, creditCents }: OwesHintProps) {
  if (overdueCents > 0)
    return (
      <span style={{ color: "var(--tone-red)" }}>
        <MoneyText cents={overdueCents} /> overdue
      </span>
    )
  if (creditCents)
    return (
      <>
        <MoneyText cents={creditCents} /> in credit
      </>
    )
  return owedCents > 0 ? "Nothing overdue" : "Nothing is open"
}
