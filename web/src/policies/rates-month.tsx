import { Text } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { formatRand } from "@milkwood/domain/kernel/money"
import type { PremiumMonth } from "@milkwood/domain/premiums/premiums.contract"
import { InlineError } from "../ui/inline-error.tsx"

const people = (count: number) => `${count.toLocaleString("en-ZA")} ${count === 1 ? "member" : "members"}`

/** What a policy's month comes to, beside what it was where that is given; and who has no rate. */
export function MonthNote({ said, before }: { said: PremiumMonth; before?: PremiumMonth | undefined }) {
  const { month, members, cents, unrated } = said
  const more = unrated.count - unrated.some.length
  const names = unrated.some.map(({ name, why }) => `${name} (${why})`).join(", ")
  return (
    <>
      <Text size="sm" role="status" style={{ fontVariantNumeric: "tabular-nums" }}>
        {formatMonth(month)}: {formatRand(cents)} for {people(members)}, without VAT
        {before && `; as it stands ${formatRand(before.cents)} for ${people(before.members)}`}
      </Text>
      {unrated.count > 0 && (
        <InlineError tone="warning">
          {people(unrated.count)} without a rate cannot be billed: {names}
          {more > 0 && ` and ${more} more`}
        </InlineError>
      )}
    </>
  )
}
