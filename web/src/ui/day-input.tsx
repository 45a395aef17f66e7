import { ActionIcon, Loader, Popover, TextInput, type TextInputProps } from "@mantine/core"
import { type Day, type DayFormat, formatDay, orderOf, parseDay } from "@milkwood/domain/kernel/calendar"
import { IconCalendar } from "@tabler/icons-react"
import { lazy, Suspense, useRef, useState } from "react"
import { useEscape } from "../platform/keyboard.ts"
import { useDisplay } from "./display.tsx"
import { useTypedInput } from "./use-typed.ts"

const Calendar = lazy(() => import("./calendar.tsx"))

/** Reads a day in the order of the settings. If that is year first, day/month/year is accepted too. */
function parseTypedDay(text: string, format: DayFormat): Day | null {
  const order = orderOf(format)
  return parseDay(text, order === "YMD" ? "DMY" : order)
}

interface DayInputProps
  extends Omit<TextInputProps, "ref" | "value" | "defaultValue" | "onChange" | "type" | "min" | "max"> {
  /** `YYYY-MM-DD`; null if empty or invalid. */
  value?: Day | null
  onChange?: (day: Day | null) => void
  earliest?: Day
  latest?: Day
  /** False inside another popover, which would treat a calendar click as a click outside. */
  withinPortal?: boolean
}

/**
 * A day, typed (`2026-11-20`, `20/11/2026`) or picked. Invalid days are refused, and the typed text stays with a
 * message. Alt ↓ opens the calendar.
 *
 *     <DayInput label="Incident date" required {...form.getInputProps("incidentOn")} latest={today} />
 */
export function DayInput({
  value = null,
  onChange,
  error,
  onBlur,
  onFocus,
  onKeyDown,
  earliest,
  latest,
  withinPortal,
  ...rest
}: DayInputProps) {
  const { dayFormat, today } = useDisplay()
  const [open, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const close = () => {
    setOpen(false)
    input.current?.focus()
  }
  useEscape(close, open)
  const { props, forget } = useTypedInput({
    value,
    onChange,
    read: (text) => parseTypedDay(text, dayFormat),
    show: (day) => formatDay(day, dayFormat),
    wrong: `Enter a valid date as ${dayFormat}`,
    field: { error, onBlur, onFocus, onKeyDown },
  })
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      withRoles={false}
      withinPortal={withinPortal}
    >
      <Popover.Target>
        <TextInput
          ref={input}
          autoComplete="off"
          placeholder={dayFormat}
          {...rest}
          {...props}
          onKeyDown={(event) => {
            if (event.altKey && event.key === "ArrowDown" && !rest.readOnly) {
              event.preventDefault()
              setOpen(true)
            }
            props.onKeyDown(event)
          }}
          rightSection={
            <ActionIcon
              aria-label={typeof rest.label === "string" ? `Calendar: ${rest.label}` : "Calendar"}
              aria-expanded={open}
              title="Press Alt ↓ in the field to open it"
              tabIndex={-1}
              size={26}
              disabled={rest.disabled || rest.readOnly}
              onClick={() => setOpen((before) => !before)}
            >
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Suspense fallback={<CalendarLoading />}>
          <Calendar
            value={value}
            today={today}
            earliest={earliest}
            latest={latest}
            onPick={(day) => {
              forget()
              onChange?.(day)
              close()
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

function CalendarLoading() {
  return (
    <div tabIndex={-1} data-autofocus style={{ outline: "none" }}>
      <Loader m="xl" />
    </div>
  )
}
