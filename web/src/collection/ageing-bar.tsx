import { type AgeAmounts, ageBucketNames, ageBuckets } from "@milkwood/domain/billing/ageing"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useDisplay } from "../ui/display.tsx"
import classes from "./collection.module.css"

export function AgeingBar({ amounts }: { amounts: AgeAmounts }) {
  const { currency } = useDisplay()
  const shown = ageBuckets.filter((bucket) => amounts[bucket] > 0)
  if (shown.length === 0) return "–"
  const words = shown.map((bucket) => `${ageBucketNames[bucket]}: ${formatMoney(amounts[bucket], currency)}`).join(", ")
  return (
    <span className={classes.bar} role="img" aria-label={words} title={words}>
      {shown.map((bucket) => (
        <span key={bucket} data-age={bucket} style={{ flexGrow: amounts[bucket] }} />
      ))}
    </span>
  )
}
