import { Radio, Stack } from "@mantine/core"
import { addMonths, type Day, firstOfMonth, formatMonth } from "@milkwood/domain/kernel/calendar"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"

/** The months before the current one on a draft's first invoice, and the current month. */
export function earlierMonthsOf(
  { information, terms }: Pick<PolicyDetail, "information" | "terms">,
  today: Day,
): { months: number; thisMonth: Day } {
  const thisMonth = firstOfMonth(today)
  const from = terms.billedFromOn ?? information.startOn
  if (from === null) return { months: 0, thisMonth }
  // Cover that begins within a month is billed from the next month.
  let month = firstOfMonth(from) === from ? from : addMonths(firstOfMonth(from), 1)
  let months = 0
  for (; month < thisMonth; month = addMonths(month, 1)) months++
  return { months, thisMonth }
}

/**
 * Shows the number of earlier months on a draft's first invoice; with `onChoose`, asks whether to bill them. Empty
 * without earlier months.
 *
 *     <EarlierMonths draft={policy} chosen={chosen} onChoose={setChosen} />
 */
export function EarlierMonths(props: {
  draft: PolicyDetail
  chosen?: "bill" | "start"
  onChoose?: (chosen: "bill" | "start") => void
}) {
  const { draft, chosen, onChoose } = props
  const { today } = useDisplay()
  const { months, thisMonth } = earlierMonthsOf(draft, today)
  if (months === 0) return null
  // With rates, earlier months may have cost more: no upper bound is known.
  const monthly = draft.rated ? null : draft.monthlyPremiumCents
  return (
    <InlineError tone="warning">
      The first invoice will include {months === 1 ? "1 earlier month" : `${months} earlier months`}
      {monthly === null ? "" : ", up to "}
      {monthly !== null && <MoneyText cents={months * monthly} />}
      {monthly === null ? "." : " excl. VAT."}
      {onChoose ? (
        <Radio.Group
          aria-label="Earlier months"
          value={chosen ?? "bill"}
          onChange={(value) => onChoose(value as "bill" | "start")}
        >
          <Stack gap={6} mt="xs">
            <Radio value="bill" label="Bill the earlier months" />
            <Radio value="start" label={`Start billing in ${formatMonth(thisMonth)}`} />
          </Stack>
        </Radio.Group>
      ) : (
        ` To start in ${formatMonth(thisMonth)}, choose it under “First month to bill in Milkwood”.`
      )}
    </InlineError>
  )
}
