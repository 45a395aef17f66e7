import { SegmentedControl, Select, TextInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { serverSearchProps } from "../ui/server-search.ts"
import { openGroupsQuery } from "./employers.api.ts"

export interface GroupValues {
  groupKind: "existing" | "new"
  groupId: string | null
  groupName: string
}

interface GroupChoiceProps {
  values: GroupValues
  inputProps: (field: keyof GroupValues) => GetInputPropsReturnType
  onChoose: (groupId: string | null, groupName: string) => void
  canCreate: boolean
}

/**
 * Chooses an existing employer group, or names the group to create.
 *
 *     <GroupChoice values={form.values} inputProps={form.getInputProps} onChoose={choose} canCreate />
 */
export function GroupChoice({ values, inputProps, onChoose, canCreate }: GroupChoiceProps) {
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, 200)
  const groups = useQuery(openGroupsQuery(search))
  const { groupId, groupName, groupKind } = values
  const groupInput = inputProps("groupId")
  const found = groups.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const chosen = groupId && !found.some(({ value }) => value === groupId) ? [{ value: groupId, label: groupName }] : []
  return (
    <>
      {canCreate && (
        <SegmentedControl
          aria-label="Employer group"
          data={[
            { value: "existing", label: "Existing group" },
            { value: "new", label: "New group" },
          ]}
          {...inputProps("groupKind")}
        />
      )}
      {groupKind === "new" ? (
        <TextInput
          label="Group name"
          required
          maxLength={200}
          description="The employer is created when you save"
          {...inputProps("groupName")}
        />
      ) : (
        <Select
          label="Group name"
          required
          placeholder={groups.isPending ? "Loading..." : "Choose an employer group"}
          nothingFoundMessage={groups.isSuccess ? "No matching group. Choose New group to create it." : undefined}
          {...serverSearchProps(typed !== "" && typed === search && groups.isSuccess && found.length === 1)}
          data={[...chosen, ...found]}
          onSearchChange={setTyped}
          {...groupInput}
          error={groupInput.error ?? (groups.isError && "Groups could not be loaded. Try again.")}
          onChange={(value, option) => onChoose(value, option?.label ?? "")}
        />
      )}
    </>
  )
}
