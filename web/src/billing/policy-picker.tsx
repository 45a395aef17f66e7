import { Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { formatRand } from "@milkwood/domain/kernel/money"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { errorText } from "../shell/errors.ts"

interface PolicyPickerProps {
  value: string | null
  onChange: (policyId: string | null) => void
  error?: string | undefined
}

/** Active policies by group name, number and premium; searched in the database. */
export function PolicyPicker({ value, onChange, error }: PolicyPickerProps) {
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, 200)
  const chosen = useQuery({
    ...api.billing.billablePolicies.queryOptions({ input: { search: "", policyId: value ?? "" } }),
    enabled: value !== null,
  })
  const chosenLabel = chosen.data?.[0] && labelOf(chosen.data[0])
  const found = useQuery({
    // The text of what is chosen is no search: opening the list again shows every policy.
    ...api.billing.billablePolicies.queryOptions({ input: { search: search === chosenLabel ? "" : search } }),
    placeholderData: keepPreviousData,
  })
  const options = [...(found.data ?? [])]
  const current = chosen.data?.[0]
  if (current && !options.some(({ id }) => id === current.id)) options.unshift(current)
  return (
    <Select
      label="Policy"
      placeholder="Select an active policy"
      required
      searchable
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      // The database has searched already.
      filter={({ options: all }) => all}
      data={options.map((policy) => ({ value: policy.id, label: labelOf(policy) }))}
      nothingFoundMessage={
        found.isError ? errorText(found.error) : found.isPending ? "Loading..." : "No active policy matches."
      }
      error={error}
    />
  )
}

const labelOf = (policy: { groupName: string; number: string; premiumCents: number }) =>
  `${policy.groupName} · ${policy.number} · ${formatRand(policy.premiumCents)}`
