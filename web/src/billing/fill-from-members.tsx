import { Button, Group, Text } from "@mantine/core"
import { firstOfMonth, formatDay } from "@milkwood/domain/kernel/calendar"
import { IconUsers } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { api } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { useDisplay } from "../ui/display.tsx"
import type { useInvoiceForm } from "./invoice-form.tsx"
import { createEmptyLine, lineValuesOf } from "./invoice-values.ts"

/** Fills the lines, and sets the invoice's period to their month. */
export function FillFromMembers({
  form,
  ownId,
}: {
  form: ReturnType<typeof useInvoiceForm>
  ownId: string | undefined
}) {
  const { values } = form
  const { policyId, periodStartOn } = values
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { dayFormat } = useDisplay()
  const [busy, setBusy] = useState(false)
  // The message belongs to one policy only.
  const [answer, setAnswer] = useState<{ policyId: string; words: ReactNode }>()

  const fill = async () => {
    if (!policyId || !periodStartOn || busy) return
    const typed = values.members !== null || values.lines.some((line) => line.description.trim() !== "")
    if (
      typed &&
      !(await confirm({
        title: "Replace the lines?",
        body: "This replaces the current lines with one line for each member billed for the month.",
        confirm: "Replace lines",
      }))
    ) {
      return
    }
    setBusy(true)
    const setSaid = (words: ReactNode) => setAnswer({ policyId, words })
    try {
      const filled = await queryClient.fetchQuery(
        api.billing.fillLines.queryOptions({
          input: { policyId, month: periodStartOn, invoiceOn: values.invoiceOn ?? periodStartOn, invoiceId: ownId },
          staleTime: 0,
        }),
      )
      const { periodEndOn, takenBy } = filled
      const taken = takenBy && takenBy.invoiceId !== ownId && (
        <>
          <Link to="/invoices/$invoiceId" params={{ invoiceId: takenBy.invoiceId }}>
            {takenBy.number}
          </Link>{" "}
          already bills part of this month.
        </>
      )
      if (filled.members === 0) {
        const first = formatDay(firstOfMonth(periodStartOn), dayFormat)
        setSaid(taken || `No members left to bill for this month: all members covered on ${first} are billed already.`)
        return
      }
      const month = { kind: "premium", periodStartOn: filled.periodStartOn, periodEndOn } as const
      const { members: count, subtotalCents } = filled
      form.set(
        filled.lines.length > 0
          ? { ...month, lines: filled.lines.map(lineValuesOf), members: null }
          : {
              ...month,
              lines: [createEmptyLine()],
              members: { source: "fill", count, subtotalCents, months: [{ month: null, cents: subtotalCents }] },
            },
      )
      setSaid(
        taken ||
          `${count.toLocaleString("en-ZA")} ${count === 1 ? "member is billed" : "members are billed"} for ${formatDay(filled.periodStartOn, dayFormat)} to ${formatDay(periodEndOn, dayFormat)}.`,
      )
    } catch (error) {
      setSaid(errorTextOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {policyId === null
          ? "Choose a policy to fill the lines from its members."
          : answer?.policyId === policyId && answer.words}
      </Text>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconUsers size={14} aria-hidden />}
        disabled={!policyId || !periodStartOn}
        loading={busy}
        onClick={() => void fill()}
      >
        Fill from members
      </Button>
    </Group>
  )
}
