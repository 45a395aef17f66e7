import { Radio, Stack } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import type { LineCandidate } from "@milkwood/domain/banking/matching.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useLineCommands } from "./banking.api.ts"
import classes from "./banking.module.css"

const named = ({ parts }: LineCandidate) => parts.map(({ label, name }) => `${label}, ${name}`).join(" · ")

/** What a line is, the likeliest first, each with its reasons. */
export default function MatchDialog({ line, onClose }: { line: BankLineRow; onClose: () => void }) {
  const found = useQuery(api.banking.suggestions.queryOptions({ input: { lineIds: [line.id] } }))
  const { confirm } = useLineCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { key: "" }, validate: { key: required("Choose what it is") } })
  const candidates = found.data?.[0]?.candidates.filter(({ kind }) => kind !== "notOurs")
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title="Match"
      submit="Match"
      words={
        <>
          <MoneyText cents={line.amountCents} /> on <DayText day={line.day} />: {line.text}
          {line.reference && ` · ${line.reference}`}
        </>
      }
      form={form}
      save={({ key }) => {
        const { parts } = candidates!.find((candidate) => candidate.key === key)!
        return confirm.mutateAsync({ lineId: line.id, parts, idempotencyKey })
      }}
    >
      {found.isError && !found.data && (
        <LoadFailed
          title="Failed to load suggestions"
          error={found.error}
          onRetry={found.refetch}
          busy={found.isFetching}
        />
      )}
      {found.isLoading && <p className={classes.words}>Looking for what it may be...</p>}
      {candidates?.length === 0 && (
        <EmptyState title="Nothing found">Nothing speaks for a policy or a receipt.</EmptyState>
      )}
      {candidates && candidates.length > 0 && (
        <Radio.Group label="What it is" required {...form.getInputProps("key")}>
          <Stack gap={8} mt={6}>
            {candidates.map((candidate) => (
              <Radio
                key={candidate.key}
                value={candidate.key}
                label={named(candidate)}
                description={candidate.reasons.map(({ sentence }) => `${sentence}.`).join(" ")}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </FormDialog>
  )
}
