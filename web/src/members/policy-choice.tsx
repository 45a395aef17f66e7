import { Select, type SelectProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { openPoliciesQuery } from "./members.api.ts"

/** Chooses a policy that members can be added to, by group name or number; the server searches. */
export function PolicyChoice(props: Omit<SelectProps, "data" | "value"> & { value?: string | null }) {
  const { value } = props
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed.replace(/ · .*$/, ""), 200)
  const found = useQuery(openPoliciesQuery(search))
  const chosen = useQuery({
    ...api.policies.pick.queryOptions({ input: { id: value ?? "" } }),
    enabled: Boolean(value),
  })
  const policies = [...(chosen.data ?? []), ...(found.data ?? [])].filter(
    (policy, index, all) => all.findIndex(({ id }) => id === policy.id) === index,
  )
  return (
    <Select
      searchable
      placeholder={found.isPending ? "Loading…" : "Choose a group policy"}
      nothingFoundMessage="No policy of this group name or number"
      filter={({ options }) => options}
      data={policies.map(({ id, groupName, number }) => ({ value: id, label: `${groupName} · ${number}` }))}
      onSearchChange={setTyped}
      {...props}
    />
  )
}
