import { Select, type SelectProps } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"

export function ReviewerSelect(props: Omit<SelectProps, "data">) {
  const reviewers = useQuery(api.claims.reviewers.queryOptions())
  return (
    <Select
      label="Assign to"
      required
      searchable
      placeholder={reviewers.isPending ? "Loading..." : "Choose a person"}
      data={reviewers.data?.map(({ userId, name }) => ({ value: userId, label: name })) ?? []}
      {...props}
    />
  )
}

export default function BulkReviewerSelect({ onChoose }: { onChoose: (userId: string) => void }) {
  const [userId, setUserId] = useState<string | null>(null)
  return (
    <ReviewerSelect
      allowDeselect={false}
      value={userId}
      onChange={(chosen) => {
        setUserId(chosen)
        if (chosen) onChoose(chosen)
      }}
    />
  )
}
