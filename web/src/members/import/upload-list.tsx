import { Anchor, Select } from "@mantine/core"
import { importFieldLabels, requiredImportFields } from "@milkwood/domain/members/member-import-columns"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../shell/api.ts"
import { DocumentUploader } from "../../ui/document-uploader.tsx"
import classes from "./import.module.css"
import { templateHref } from "./imports.api.ts"

/** Choose the policy, then the file; what comes next has an address of its own. */
export function UploadList({ policyId: first }: { policyId?: string }) {
  const navigate = useNavigate()
  const [policyId, setPolicyId] = useState<string | null>(first ?? null)
  return (
    <div className={classes.upload}>
      <section className={classes.card} aria-labelledby="upload-title">
        <h2 id="upload-title" className={classes.cardTitle}>
          Upload a staff list
        </h2>
        <div className={classes.fields}>
          <PolicyChoice value={policyId} onChange={setPolicyId} />
          <DocumentUploader<{ importId: string }>
            label="Choose a file"
            url="/api/members/imports"
            accept={["csv", "xlsx", "xls"]}
            maxMegabytes={10}
            fields={() => ({ policyId: policyId ?? "" })}
            disabled={policyId ? undefined : "Choose the group policy first."}
            onUploaded={({ importId }) => {
              // The file has arrived; the uploader's guard against leaving has not heard of it yet.
              void navigate({ to: "/members/import/$importId", params: { importId }, ignoreBlocker: true })
            }}
          />
        </div>
      </section>
      <section className={classes.card} aria-labelledby="guidelines-title">
        <h2 id="guidelines-title" className={classes.cardTitle}>
          Import guidelines
        </h2>
        <ul className={classes.hints}>
          <li>Required columns: {requiredImportFields.map((field) => importFieldLabels[field]).join(", ")}</li>
          <li>CSV or Excel (.xlsx, .xls), up to 10MB</li>
          <li>Avoid duplicate ID numbers: of two rows about one person the first is kept</li>
          <li>Other names for a column are recognised, and your choice is remembered for the group</li>
          <li>Every row is shown with what is wrong with it before anything is imported</li>
        </ul>
        <Anchor href={templateHref} download>
          Download an empty list
        </Anchor>
      </section>
    </div>
  )
}

/** Policies that members can still be added to, found by group name or number. */
function PolicyChoice({ value, onChange }: { value: string | null; onChange: (policyId: string | null) => void }) {
  const [search, setSearch] = useState("")
  const chosen = useQuery({
    ...api.policies.pick.queryOptions({ input: { id: value ?? undefined } }),
    enabled: value !== null,
  })
  const shown = chosen.data?.find(({ id }) => id === value)
  // While the field shows what was chosen, that text is no search.
  const text = shown && search === nameOf(shown) ? "" : search
  const found = useQuery({
    ...api.policies.pick.queryOptions({ input: { search: text, statuses: ["Draft", "Active", "Suspended"] } }),
    placeholderData: keepPreviousData,
  })
  const policies = [...(found.data ?? []), ...(shown && !found.data?.some(({ id }) => id === shown.id) ? [shown] : [])]
  return (
    <Select
      label="Group policy"
      required
      searchable
      clearable
      placeholder="Search by group or policy number"
      data={policies.map((policy) => ({ value: policy.id, label: nameOf(policy) }))}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={found.isFetching ? "Searching…" : "No policy matches"}
      error={found.isError ? "The policies could not be loaded. Please try again." : undefined}
    />
  )
}

const nameOf = (policy: { groupName: string; number: string }) => `${policy.groupName} · ${policy.number}`
