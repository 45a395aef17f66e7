import { Select, type SelectProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PolicyChoice } from "@milkwood/domain/policies/policies.contract"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { serverSearchProps } from "../ui/server-search.ts"
import { policyChoiceQuery } from "./policies.api.ts"

interface PolicySelectProps extends Omit<SelectProps, "data" | "value" | "onChange" | "searchable"> {
  value?: string | null
  onChange?: (policyId: string | null, policy: PolicyChoice | null) => void
  statuses?: readonly PolicyChoice["status"][]
  showPremium?: boolean
}

/**
 * Finds a policy by group name or number, in the database.
 *
 *     <PolicySelect label="Policy" required statuses={["Active"]} {...form.getInputProps("policyId")} />
 */
export function PolicySelect({ value, onChange, statuses, showPremium = false, error, ...rest }: PolicySelectProps) {
  const { currency } = useDisplay()
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, 150)
  const chosen = useQuery(policyChoiceQuery(value || null))
  const label = ({ groupName, number, premiumCents }: PolicyChoice) =>
    [
      groupName,
      number,
      ...(showPremium ? [premiumCents === null ? "Rates" : formatMoney(premiumCents, currency)] : []),
    ].join(" · ")
  const current = chosen.data?.[0]
  // Typed text equal to the chosen policy's label is not a search.
  const searched = current && typed === label(current) ? "" : search
  const found = useQuery({
    ...api.policies.pick.queryOptions({ input: { search: searched, statuses: statuses && [...statuses] } }),
    placeholderData: keepPreviousData,
  })
  const choices = [...(found.data ?? [])]
  if (current && !choices.some((choice) => choice.id === current.id)) choices.unshift(current)
  return (
    <Select
      placeholder="Group name or policy number"
      nothingFoundMessage={found.isFetching ? "Searching..." : "No policy matches"}
      {...rest}
      {...serverSearchProps(
        typed !== "" && typed === search && found.isSuccess && !found.isPlaceholderData && found.data.length === 1,
      )}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value || null}
      onChange={(id) => onChange?.(id, choices.find((choice) => choice.id === id) ?? null)}
      error={error ?? (found.isError && "Policies could not be loaded. Try again.")}
      data={choices.map((policy) => ({ value: policy.id, label: label(policy) }))}
    />
  )
}
