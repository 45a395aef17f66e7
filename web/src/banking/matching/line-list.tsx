import { Checkbox } from "@mantine/core"
import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import { useEffect, useRef } from "react"
import { withUnbrokenNumbers } from "../../ui/breakable.tsx"
import { DayText } from "../../ui/day.tsx"
import { MoneyText } from "../../ui/money.tsx"
import classes from "./matching.module.css"
import type { Matching } from "./use-matching.ts"

export function LineList({ matching }: { matching: Matching }) {
  const { shown, at, marked, choose, mark } = matching
  return (
    <ul className={classes.lines} aria-label="Lines to match">
      {shown.map((line, index) => (
        <LineItem
          key={line.id}
          line={line}
          isChosen={index === at}
          isMarked={marked.has(line.id)}
          onChoose={() => choose(index)}
          onMark={() => mark(line.id)}
        />
      ))}
    </ul>
  )
}

interface LineItemProps {
  line: BankLineRow
  isChosen: boolean
  isMarked: boolean
  onChoose: () => void
  onMark: () => void
}

function LineItem({ line, isChosen, isMarked, onChoose, onMark }: LineItemProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" })
  }, [isChosen])
  const { day, text, reference, amountCents } = line
  return (
    <li ref={item} className={classes.line} data-chosen={isChosen || undefined}>
      <Checkbox
        size="xs"
        checked={isMarked}
        onChange={onMark}
        aria-label={`Select ${text}, ${day}`}
        className={classes.mark}
      />
      <button type="button" className={classes.choose} aria-current={isChosen || undefined} data-row onClick={onChoose}>
        <span className={classes.text}>
          {withUnbrokenNumbers([text, reference].filter(Boolean).join(" · ") || "No description")}
        </span>
        <span className={classes.day}>
          <DayText day={day} />
        </span>
        <span className={classes.amount} data-out={amountCents < 0 || undefined}>
          <MoneyText cents={amountCents} />
        </span>
      </button>
    </li>
  )
}
