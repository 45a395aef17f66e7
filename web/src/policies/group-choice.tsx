import { SegmentedControl, Select, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { foundByServer } from "../ui/found-by-server.ts"
import { groupsQuery } from "./policies.api.ts"
import type { DraftValues } from "./policy-draft.ts"

/** Which employer group the policy is for: one that is there, or one that is made with the draft. */
export function GroupChoice({ form, made }: { form: UseFormReturnType<DraftValues>; made: boolean }) {
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed, 200)
  const groups = useQuery(groupsQuery(search))
  const { groupId, groupName, groupKind } = form.values
  const groupInput = form.getInputProps("groupId")
  const found = groups.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const chosen = groupId && !found.some(({ value }) => value === groupId) ? [{ value: groupId, label: groupName }] : []
  return (
    <>
      {!made && (
        <SegmentedControl
          aria-label="Employer group"
          data={[
            { value: "existing", label: "Existing group" },
            { value: "new", label: "New group" },
          ]}
          {...form.getInputProps("groupKind")}
        />
      )}
      {groupKind === "new" ? (
        <TextInput
          label="Group name"
          required
          maxLength={200}
          description="The employer group is made together with the draft"
          {...form.getInputProps("groupName")}
        />
      ) : (
        <Select
          label="Group name"
          required
          placeholder={groups.isPending ? "Loading…" : "Choose an employer group"}
          nothingFoundMessage={groups.isSuccess ? "No group of this name. Choose New group to make it." : undefined}
          {...foundByServer(typed !== "" && typed === search && groups.isSuccess && found.length === 1)}
          data={[...chosen, ...found]}
          onSearchChange={setTyped}
          {...groupInput}
          error={groupInput.error ?? (groups.isError && "The groups could not be loaded. Please try again.")}
          onChange={(value, option) => {
            form.setFieldValue("groupId", value)
            form.setFieldValue("groupName", option?.label ?? "")
          }}
        />
      )}
    </>
  )
}
