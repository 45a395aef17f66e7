import { Button, Group, Modal, Progress, Stack, Text, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { Suspense, useMemo, useRef, useState } from "react"
import { newKey } from "../../platform/api.ts"
import { errorTextOf } from "../../platform/errors.ts"
import { useEscape } from "../../platform/keyboard.ts"
import { refreshModule } from "../../platform/live.ts"
import { DayInput } from "../day-input.tsx"
import { useDisplay } from "../display.tsx"
import { requireText } from "../form.ts"
import { InlineError } from "../inline-error.tsx"
import { useUnsavedInput } from "../unsaved.ts"
import classes from "./data-table.module.css"
import type { BulkStep, Choice } from "./types.ts"

interface BulkDialogProps<Row> {
  step: BulkStep<Row>
  rows: Row[]
  noun: { one: string; many: string }
  /** Called with the rows that failed; without rows if the step was never started. */
  onClose: (left?: Row[]) => void
}

interface Outcome<Row> {
  done: number
  refused: { row: Row; why: string }[]
}

/**
 * Runs a step row by row and lists each failure by name. It can be stopped between two rows; finished rows stay done.
 */
export default function BulkDialog<Row>({ step, rows, noun, onClose }: BulkDialogProps<Row>) {
  const queryClient = useQueryClient()
  const { today, currency } = useDisplay()
  const [outcome, setOutcome] = useState<Outcome<Row>>()
  const [state, setState] = useState<"asking" | "running" | "over">("asking")
  const stopped = useRef(false)
  const choice = useRef<Choice>(undefined)
  const [unchosen, setUnchosen] = useState(false)
  const keys = useMemo(() => new Map(rows.map((row) => [row, newKey()])), [rows])
  const form = useForm({
    initialValues: { day: today as string | null, reason: "" },
    validate: {
      day: step.asks?.day ? requireText("Choose the day") : undefined,
      reason: step.asks?.reason ? requireText("Enter a reason") : undefined,
    },
  })
  const { title, words } = step.question(rows, currency)
  const tried = outcome ? outcome.done + outcome.refused.length : 0
  const what = step.gives ?? noun
  const counted = (count: number) => `${count} ${count === 1 ? what.one : what.many}`
  const close = () => {
    if (state === "running") return
    if (!outcome) return onClose()
    const refused = outcome.refused.map(({ row }) => row)
    onClose([...refused, ...rows.slice(tried)])
  }
  useUnsavedInput(true)
  useEscape(close, true)

  const run = async ({ day, reason }: typeof form.values) => {
    if (step.asks?.choice && choice.current === undefined) return setUnchosen(true)
    setState("running")
    const so: Outcome<Row> = { done: 0, refused: [] }
    for (const row of rows) {
      if (stopped.current) break
      try {
        await step.run(row, { key: keys.get(row)!, day: day ?? today, reason, choice: choice.current })
        so.done++
      } catch (error) {
        so.refused.push({ row, why: errorTextOf(error) })
      }
      setOutcome({ ...so })
    }
    if (step.room) await refreshModule(queryClient, step.room)
    setState("over")
  }

  return (
    <Modal opened onClose={close} title={title} size={520} closeOnClickOutside={state === "over"}>
      {state === "asking" ? (
        <form noValidate onSubmit={form.onSubmit((values) => void run(values))}>
          <Stack gap="sm">
            <Text component="div" c="dimmed">
              {words}
            </Text>
            {step.asks?.day && <DayInput label={step.asks.day} required {...form.getInputProps("day")} />}
            {step.asks?.reason && (
              <Textarea
                label="Reason"
                required
                autosize
                minRows={2}
                maxLength={1000}
                {...form.getInputProps("reason")}
              />
            )}
            {step.about && (
              <Suspense>
                <step.about
                  rows={rows}
                  day={form.values.day}
                  onChoose={(chosen) => {
                    choice.current = chosen
                    setUnchosen(false)
                  }}
                />
              </Suspense>
            )}
            {unchosen && <InlineError>{step.asks?.choice}</InlineError>}
            <Group justify="flex-end" gap="xs" mt={4}>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color={step.danger ? "red" : undefined} data-autofocus={!step.danger || undefined}>
                {step.label} {counted(rows.length)}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack gap="sm">
          <Progress value={(100 * tried) / rows.length} aria-label={title} transitionDuration={120} />
          <div role="status">
            {state === "running"
              ? `${tried} of ${rows.length}`
              : `${counted(outcome?.done ?? 0)} ${step.done}.${tried < rows.length ? ` ${counted(rows.length - tried)} not processed.` : ""}`}
          </div>
          {outcome && outcome.refused.length > 0 && (
            <InlineError tone="warning">
              {counted(outcome.refused.length)} not {step.done}:
              <ul className={classes.refused}>
                {outcome.refused.map(({ row, why }) => (
                  <li key={step.name(row)}>
                    <strong>{step.name(row)}</strong>: {why}
                  </li>
                ))}
              </ul>
            </InlineError>
          )}
          <Group justify="flex-end" gap="xs" mt={4}>
            {state === "running" ? (
              <Button variant="default" onClick={() => (stopped.current = true)}>
                Stop
              </Button>
            ) : (
              <Button onClick={close} data-autofocus>
                Done
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
