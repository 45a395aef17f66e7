import { Text } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PremiumMonth } from "@milkwood/domain/premiums/premiums.contract"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"

const waitTexts = {
  draft: "The policy cannot be activated until each of them has a rate.",
  active: "Until each of them has a rate, premium runs leave out the whole policy and show the reason.",
}

const memberCountText = (count: number) => `${count.toLocaleString("en-ZA")} ${count === 1 ? "member" : "members"}`

interface MonthNoteProps {
  said: PremiumMonth
  before?: PremiumMonth | undefined
  /** A draft has no invoices, and people without a rate block its activation. */
  draft: boolean
}

export function MonthNote({ said, before, draft }: MonthNoteProps) {
  const { currency } = useDisplay()
  const { month, members, cents, unrated } = said
  const more = unrated.count - unrated.some.length
  const names = unrated.some.map(({ name, why }) => `${name} (${why})`).join(", ")
  return (
    <>
      <Text size="sm" role="status" style={{ fontVariantNumeric: "tabular-nums" }}>
        {formatMonth(month)}: {formatMoney(cents, currency)} for {memberCountText(members)}, excl. VAT
        {before && `; currently ${formatMoney(before.cents, currency)} for ${memberCountText(before.members)}`}
      </Text>
      {unrated.count > 0 && (
        <InlineError tone="warning">
          {memberCountText(unrated.count)} without a rate: {names}
          {more > 0 && ` and ${more} more`}. {draft ? waitTexts.draft : waitTexts.active}
        </InlineError>
      )}
    </>
  )
}
