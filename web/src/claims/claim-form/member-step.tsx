import { Select, Stack } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { errorTextOf } from "../../platform/errors.ts"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { FactList } from "../../ui/record-page.tsx"
import { serverSearchProps } from "../../ui/server-search.ts"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { dependentText, memberNameOf } from "../claim-table.tsx"
import { decidersQuery } from "../claims.api.ts"
import { useCoverChoices } from "./details-step.tsx"
import type { StepProps } from "./fields.tsx"

/** A member who left may still claim for an earlier incident. */
const memberStatuses = ["Active" as const, "Suspended" as const, "Terminated" as const]

/** Null for an id that is unknown, of another group, or not yet covered. */
export const claimantQuery = (memberId: string | null) =>
  queryOptions({
    ...api.members.pick.queryOptions({ input: { id: memberId ?? undefined, statuses: memberStatuses } }),
    enabled: memberId !== null,
  })

export function useMember(memberId: string | null) {
  const found = useQuery(claimantQuery(memberId))
  return memberId === null ? undefined : found.data?.find(({ id }) => id === memberId)
}

export function MemberStep({ values, set, errors, claim }: StepProps) {
  const [search, setSearch] = useState("")
  const [asked] = useDebouncedValue(search, 200)
  const chosen = useMember(values.memberId)
  const members = useQuery({
    ...api.members.pick.queryOptions({
      input: { search: asked === memberLabelOf(chosen) ? "" : asked, statuses: memberStatuses },
    }),
    placeholderData: keepPreviousData,
  })
  const draft = claim === undefined || claim.status === "draft"
  const deciders = useQuery({ ...decidersQuery(values.memberId, claim?.id), ...(!draft && { enabled: false }) })
  const found = members.data ?? []
  const options = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <Stack gap="md">
      <Select
        label={claimFieldNames.memberId}
        required
        placeholder="Search name, member number or ID number"
        data={options.map((member) => ({ value: member.id, label: memberLabelOf(member) }))}
        {...serverSearchProps(
          search !== "" && search === asked && members.isSuccess && !members.isPlaceholderData && found.length === 1,
        )}
        nothingFoundMessage={members.isPending ? "Searching..." : "No members match."}
        value={values.memberId}
        error={errors.memberId}
        onSearchChange={setSearch}
        onChange={(memberId) => memberId && memberId !== values.memberId && set({ memberId, dependentId: null })}
      />
      {chosen && <InsuredPersonSelect values={values} set={set} errors={errors} memberName={memberNameOf(chosen)} />}
      {members.isError && <InlineError>{errorTextOf(members.error)}</InlineError>}
      {draft && deciders.data?.nobody && <InlineError tone="warning">{deciders.data.nobody}</InlineError>}
      {chosen && (
        <FactList
          rows={[
            ["Policy group", chosen.groupName],
            ["Policy", <DocumentNumber key="policy">{chosen.policyNumber}</DocumentNumber>],
            ["Benefit tier", chosen.tierName],
            ["ID number", chosen.idNumber],
            ["Status", <StatusBadge key="status" status={chosen.status} />],
          ]}
        />
      )}
    </Stack>
  )
}

const ofMember = "member"

/** Shown only if the member has dependents. Those without cover on the incident date cannot be chosen. */
function InsuredPersonSelect(props: Pick<StepProps, "values" | "set" | "errors"> & { memberName: string }) {
  const { values, set, errors, memberName } = props
  const { dependents } = useCoverChoices(values)
  if (dependents.length === 0) return null
  const on = values.incidentOn ? "on the incident date" : "today"
  return (
    <Select
      label={claimFieldNames.dependentId}
      required
      allowDeselect={false}
      data={[
        { value: ofMember, label: `${memberName}, member` },
        ...dependents.map(({ isCovered, ...dependent }) => ({
          value: dependent.id,
          label: `${dependentText(dependent)}${isCovered ? "" : ` (not covered ${on})`}`,
          disabled: !isCovered && dependent.id !== values.dependentId,
        })),
      ]}
      value={values.dependentId ?? ofMember}
      error={errors.dependentId}
      onChange={(chosen) => set({ dependentId: chosen === ofMember ? null : chosen })}
    />
  )
}

type Choice = NonNullable<ReturnType<typeof useMember>>

const memberLabelOf = (member: Choice | undefined) =>
  member ? `${memberNameOf(member)}, ${member.number}, ${member.groupName}` : ""
