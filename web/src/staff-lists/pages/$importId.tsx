import { Button } from "@mantine/core"
import { staffListRowsList } from "@milkwood/domain/staff-lists/staff-list-rows.list"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { IconCheck } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useCallback, useState } from "react"
import { refreshModule } from "../../platform/live.ts"
import { InstantText } from "../../ui/day.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { JobProgress } from "../../ui/job-progress.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { SiblingLists, SplitListPanel } from "../division.tsx"
import { ImportPanel } from "../import-panel.tsx"
import { MapColumns } from "../map-columns.tsx"
import { PreviewRows } from "../preview-rows.tsx"
import { previewTabs } from "../preview-tabs.ts"
import { StaffListStatusBadge } from "../staff-list-status.tsx"
import { rejectedRowsHref, staffListQuery, useImportQuestions } from "../staff-lists.api.ts"
import classes from "../staff-lists.module.css"

export const Route = createFileRoute("/_app/members/import/$importId")({
  ...listAddress(staffListRowsList, {}, previewTabs),
  staticData: { permission: "members.read" },
  component: OneImportPage,
})

const back = { to: "/members/import", label: "Back to Import staff list" } as const

/** The URL identifies the list, so that a user can leave and return at any step. */
function OneImportPage() {
  const { importId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(staffListQuery(importId))}
      title="Staff list"
      back={back}
      loading="Loading import..."
      failed="Failed to load the import"
      notFound="Import not found"
    >
      {(found) => <OneImport key={importId} found={found} />}
    </LoadedRecord>
  )
}

const importStepNames = ["Upload", "Map columns", "Preview", "Result"]
const stepByStatus: Record<StaffListDetail["status"], number> = {
  uploaded: 1,
  failed: 1,
  checking: 1,
  ready: 2,
  committing: 3,
  completed: 3,
  undone: 3,
  discarded: 3,
}

function OneImport({ found }: { found: StaffListDetail }) {
  const queryClient = useQueryClient()
  const { askUndo, askDiscard } = useImportQuestions()
  const [remapping, setRemapping] = useState(false)
  const may = (action: StaffListDetail["allowedActions"][number]) => found.allowedActions.includes(action)
  const mapping = may("check") && (found.status !== "ready" || remapping)
  const refresh = useCallback(() => void refreshModule(queryClient, "staffLists"), [queryClient])
  const checked = found.counts.ready + found.counts.warning + found.counts.error + found.counts.leaver > 0
  const shown = checked && !mapping && found.status !== "checking" && found.status !== "discarded"
  return (
    <RecordPage
      list="imports"
      id={found.id}
      back={back}
      title={found.fileName}
      name={found.fileName}
      subtitle={`Staff list for ${found.groupName}, ${found.policyNumber}`}
      badge={<StaffListStatusBadge found={found} size="md" />}
      actions={[
        ...(found.status === "ready" && may("check")
          ? [{ label: "Change columns", onClick: () => setRemapping(true) }]
          : []),
        ...(may("downloadRefused") ? [{ label: "Download rejected rows", href: rejectedRowsHref(found.id) }] : []),
        {
          label: "Open policy",
          link: linkOptions({ to: "/policies/$policyId", params: { policyId: found.policyId } }),
        },
        ...(may("undo") ? [{ label: "Undo import", danger: true, onClick: () => void askUndo(found) }] : []),
        ...(may("discard") ? [{ label: "Discard list", danger: true, onClick: () => void askDiscard(found) }] : []),
      ]}
      // The rows need the full width, so the panels are below them.
      side={shown ? undefined : <FilePanel found={found} />}
    >
      <Steps at={mapping ? 1 : stepByStatus[found.status]} finished={found.status === "completed"} />
      {shown && <Counts found={found} />}
      {found.failure && <InlineError>{found.failure}</InlineError>}
      {(found.status === "checking" || found.status === "committing") &&
        (found.job ? (
          <JobProgress jobId={found.job.id} onDone={refresh} />
        ) : (
          <p>Someone else started this. It is in progress.</p>
        ))}
      {found.status === "completed" && <Result found={found} mayDownload={may("downloadRefused")} />}
      {found.status === "undone" && (
        <p className={classes.missing}>The import was undone and its members were removed.</p>
      )}
      {found.status === "discarded" && <p className={classes.missing}>The list was discarded; nothing was imported.</p>}
      {mapping && <MapColumns key={found.version} found={found} onChecked={() => setRemapping(false)} />}
      {found.elsewhere.length > 0 && !mapping && <SplitListPanel found={found} />}
      {found.status === "ready" && !mapping && may("import") && (
        <ImportPanel key={found.version} found={found} onRemap={() => setRemapping(true)} />
      )}
      {found.siblings.length > 0 && <SiblingLists siblings={found.siblings} />}
      {shown && (
        <>
          <Preview found={found} />
          <FilePanel found={found} />
        </>
      )}
    </RecordPage>
  )
}

function Preview({ found }: { found: StaffListDetail }) {
  return <PreviewRows found={found} list={useListPlace(Route.useSearch())} />
}

function Steps({ at, finished }: { at: number; finished: boolean }) {
  return (
    <ol className={classes.steps} aria-label="Steps of the import">
      {importStepNames.map((label, index) => {
        const done = index < at || finished
        return (
          <li
            key={label}
            className={classes.step}
            data-done={done || undefined}
            data-active={index === at || undefined}
            aria-current={index === at ? "step" : undefined}
          >
            <span className={classes.mark} aria-hidden>
              {done ? <IconCheck size={12} stroke={2.5} /> : index + 1}
            </span>
            {label}
          </li>
        )
      })}
    </ol>
  )
}

function Result({ found, mayDownload }: { found: StaffListDetail; mayDownload: boolean }) {
  const count = (value: number) => value.toLocaleString("en-ZA")
  return (
    <section className={classes.card} aria-labelledby="result-title">
      <h2 id="result-title" className={classes.cardTitle}>
        Import completed
      </h2>
      <p className={classes.words}>
        {count(found.addedCount)} added, {count(found.changedCount)} updated, {count(found.endedCount)} ended,{" "}
        {count(found.errorCount)} rejected.
      </p>
      <div className={classes.foot}>
        {mayDownload && (
          <Button variant="default" component="a" href={rejectedRowsHref(found.id)} download>
            Download rejected rows
          </Button>
        )}
        <BackToPolicy found={found} />
      </div>
    </section>
  )
}

/** For a draft policy, the link returns to its wizard. */
function BackToPolicy({ found }: { found: StaffListDetail }) {
  const params = { policyId: found.policyId }
  return found.policyStatus === "Draft" ? (
    <Button
      renderRoot={(props) => (
        <Link {...props} to="/policies/$policyId/edit" params={params} search={{ tab: "members" }} />
      )}
    >
      Continue with {found.policyNumber}
    </Button>
  ) : (
    <Button
      renderRoot={(props) => <Link {...props} to="/policies/$policyId" params={params} search={{ tab: "members" }} />}
    >
      Members of {found.policyNumber}
    </Button>
  )
}

function Counts({ found: { counts, rowCount, status } }: { found: StaffListDetail }) {
  const isImported = status === "completed" || status === "undone"
  const figures: [string, number][] = [
    ["Total records", rowCount],
    [isImported ? "Without warnings" : "Ready", counts.ready],
    [isImported ? "With warnings" : "Warnings", counts.warning],
    [isImported ? "Left out" : "Errors", counts.error],
    ["Joiners", counts.joiner],
    ["Changes", counts.change],
    ["Leavers", counts.leaver],
  ]
  return (
    <section className={classes.card} aria-label="Summary">
      <dl className={classes.counts}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{value.toLocaleString("en-ZA")}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function FilePanel({ found }: { found: StaffListDetail }) {
  return (
    <SidePanel title="File">
      <FactList
        rows={[
          [
            "Rows",
            <span key="rows" className="tabular">
              {found.rowCount.toLocaleString("en-ZA")}
            </span>,
          ],
          ["Uploaded", <InstantText key="at" at={found.createdAt} />],
          ["Uploaded by", found.createdByName],
          ["Sheet", found.sheet],
          ["Column names in row", String(found.headerLine)],
          ["Imported", found.committedAt && <InstantText key="done" at={found.committedAt} />],
          ["Undone", found.undoneAt && <InstantText key="undone" at={found.undoneAt} />],
        ]}
      />
      {found.notes.length > 0 && (
        <ul className={classes.hints}>
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </SidePanel>
  )
}
