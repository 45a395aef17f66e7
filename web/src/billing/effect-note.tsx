import { Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { effectSentences } from "@milkwood/domain/billing/effect-words"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { useDisplay } from "../ui/display.tsx"
import { billingEffectQuery } from "./billing.api.ts"

/**
 * Shows nothing for an impossible change or a failed request, so it never blocks saving.
 *
 *     <EffectNote change={on && { act: "terminateMember", memberIds: [memberId], on }} />
 */
export function EffectNote({ change }: { change: ProposedChange | null }) {
  const { currency } = useDisplay()
  // Compared as text, because `change` is a new object on every render.
  const text = JSON.stringify(change)
  const same = useMemo(() => JSON.parse(text) as ProposedChange | null, [text])
  const [asked] = useDebouncedValue(same, 300)
  const { data } = useQuery(billingEffectQuery(asked))
  const shown = asked === same ? data : null
  return (
    <Text
      component="div"
      size="sm"
      role="status"
      mih={20}
      style={{ fontVariantNumeric: "tabular-nums", gridColumn: "1 / -1" }}
    >
      {shown &&
        effectSentences(shown.effects, shown.refused, currency).map((sentence) => (
          <div key={sentence}>{keepNumbersUnbroken(sentence)}</div>
        ))}
    </Text>
  )
}
