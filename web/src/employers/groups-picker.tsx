import { MultiSelect, type MultiSelectProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { groupsQuery } from "./employers.api.ts"

interface Group {
  id: string
  name: string
}

interface GroupsPickerProps extends Omit<MultiSelectProps, "data" | "value" | "onChange"> {
  value?: string[]
  onChange: (groupIds: string[]) => void
  /** Names of the groups already selected. */
  known?: Group[]
}

/** Searches on the server, so that any number of groups can exist. */
export function GroupsPicker({ value = [], onChange, known = [], ...rest }: GroupsPickerProps) {
  const [search, setSearch] = useState("")
  const [asked] = useDebouncedValue(search, 200)
  const [seen, setSeen] = useState<readonly Group[]>(known)
  const groups = useQuery({
    ...groupsQuery(asked),
    placeholderData: keepPreviousData,
  })
  const found: readonly Group[] = groups.data ?? []
  const chosen = seen.filter((group) => value.includes(group.id) && !found.some(({ id }) => id === group.id))
  const hasNone = search === "" && asked === "" && groups.data?.length === 0
  return (
    <MultiSelect
      label="Groups"
      {...(hasNone && {
        description: (
          <>
            There are no employer groups yet. An employer group is created with its first policy.{" "}
            <Link to="/policies/new">Create a policy</Link> first.
          </>
        ),
      })}
      placeholder={value.length === 0 ? "Search groups" : undefined}
      searchable
      hidePickedOptions
      nothingFoundMessage={groups.isError ? "Failed to load the groups" : "No groups match."}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      data={[...chosen, ...found].map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={(next) => {
        setSeen([...chosen, ...found.filter(({ id }) => next.includes(id))])
        setSearch("")
        onChange(next)
      }}
      {...rest}
    />
  )
}
