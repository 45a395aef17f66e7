import { Radio, Stack, Text } from "@mantine/core"
import { addDays, type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import { useDisplay } from "./display.tsx"

/** In a form of several columns. */
const wholeRow = { gridColumn: "1 / -1" }

/** A change recorded for a later day: "R 150,00 per member". */
export interface FutureChange {
  on: Day
  words: string
  of?: string
}

/** Changes after `from` (exclusive), in order; none while `from` is empty. */
export const futureChangesAfter = (changes: readonly FutureChange[], from: Day | null): FutureChange[] =>
  from === null ? [] : changes.filter(({ on }) => on > from).sort((a, b) => (a.on < b.on ? -1 : 1))

/**
 * Lists changes recorded for later days and asks whether to keep them. Renders nothing if there are none.
 *
 *     <FutureChangesChoice changes={futureChangesAfter(premiums, from)} {...form.getInputProps("laterChanges")} />
 */
export function FutureChangesChoice(props: {
  changes: readonly FutureChange[]
  value?: LaterChanges
  onChange?: (value: LaterChanges) => void
}) {
  const { dayFormat } = useDisplay()
  const { changes, value, onChange } = props
  const [first] = changes
  if (!first) return null
  const several = new Set(changes.map(({ of }) => of)).size > 1
  const said = changes.map(
    ({ on, words, of }) => `${several && of ? `${of}: ` : ""}${words} from ${formatDay(on, dayFormat)}`,
  )
  const until = several
    ? "each new value applies until its next change"
    : `the new value applies until ${formatDay(addDays(first.on, -1), dayFormat)}`
  const it = changes.length === 1 ? "it" : "them"
  return (
    <Radio.Group
      label={changes.length === 1 ? "A future change is recorded" : `${changes.length} future changes are recorded`}
      value={value ?? "keep"}
      style={wholeRow}
      onChange={(chosen) => onChange?.(chosen as LaterChanges)}
    >
      <Stack gap={6} mt={4}>
        <Text size="sm">{said.join("; ")}</Text>
        <Radio value="keep" label={`Keep ${it}: ${until}`} />
        <Radio
          value="replace"
          label={`Replace ${it}: ${several ? "each new value" : "the new value"} applies from its date onwards`}
        />
      </Stack>
    </Radio.Group>
  )
}
