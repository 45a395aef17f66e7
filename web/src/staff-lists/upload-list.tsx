import { Anchor } from "@mantine/core"
import { listEndings } from "@milkwood/domain/platform/documents"
import { listFieldLabels, requiredListFields } from "@milkwood/domain/staff-lists/staff-list-columns"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { openPolicyStatuses } from "../members/members.api.ts"
import { api } from "../platform/api.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { useAllowedFiles } from "../ui/display.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { templateHref } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

/** The only policy that a list can be for: the only open one, or else the only one with an outstanding list. */
function useOnlyPolicy(enabled: boolean): string | null {
  const open = useQuery({
    ...api.policies.pick.queryOptions({ input: { search: "", statuses: [...openPolicyStatuses] } }),
    enabled,
  })
  const outstanding = useQuery({ ...api.staffLists.outstanding.queryOptions({ input: {} }), enabled })
  if (open.data?.length === 1) return open.data[0]!.id
  return open.data && outstanding.data?.total === 1 ? outstanding.data.rows[0]!.id : null
}

/** The next step has its own URL. */
export function UploadList({ policyId: first }: { policyId?: string }) {
  const navigate = useNavigate()
  const { types, megabytes } = useAllowedFiles()
  const endings = listEndings(types)
  const spreadsheets = endings.filter((ending) => ending !== "csv").map((ending) => `.${ending}`)
  const [chosen, setChosen] = useState<string | null | undefined>(first)
  const only = useOnlyPolicy(first === undefined)
  const policyId = chosen === undefined ? only : chosen
  return (
    <div className={classes.upload}>
      <section className={classes.card} aria-labelledby="upload-title">
        <h2 id="upload-title" className={classes.cardTitle}>
          New import
        </h2>
        <div className={classes.fields}>
          <PolicySelect
            label="Group policy"
            required
            clearable
            statuses={openPolicyStatuses}
            value={policyId}
            onChange={setChosen}
          />
          <DocumentUploader<{ importId: string }>
            key={policyId}
            label="Choose a file"
            url="/api/members/imports"
            accept={endings}
            fields={() => ({ policyId: policyId ?? "" })}
            disabled={policyId ? undefined : "Choose the group policy first."}
            onUploaded={({ importId }) => {
              // Ignores the unsaved guard: the uploader does not know yet that the upload is complete.
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
          <li>Required columns: {requiredListFields.map((field) => listFieldLabels[field]).join(", ")}</li>
          <li>
            CSV{spreadsheets.length > 0 && ` or Excel (${spreadsheets.join(", ")})`}, up to {megabytes}MB
          </li>
          <li>Avoid duplicate ID numbers: if a person is in two rows, only the first row is used</li>
          <li>Common column names are recognised, and your column choices are saved for the group</li>
          <li>
            To import one list for several policies, choose one of them here. You can then divide the list by its Group
            Policy column
          </li>
          <li>You see the problems in each row before anything is imported</li>
        </ul>
        <Anchor href={templateHref} download>
          Download a template
        </Anchor>
      </section>
    </div>
  )
}
