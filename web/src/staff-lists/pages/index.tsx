import { Button } from "@mantine/core"
import { staffListsList } from "@milkwood/domain/staff-lists/staff-lists.list"
import { createFileRoute, Link } from "@tanstack/react-router"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { StaffListHistory, StaffListStats } from "../staff-list-history.tsx"
import classes from "../staff-lists.module.css"
import { UploadList } from "../upload-list.tsx"

export const Route = createFileRoute("/_app/members/import")({
  ...listAddress(staffListsList),
  staticData: { permission: "members.import" },
  component: ImportPage,
})

function ImportPage() {
  const { policyId, ...search } = Route.useSearch()
  const list = useListPlace(search)
  return (
    <div className={classes.fields}>
      <PageHeader
        title="Bulk Import"
        subtitle="Add and update the members of a policy from an employer's staff list"
        actions={
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/members/import/outstanding" />}>
            Lists outstanding
          </Button>
        }
      />
      <UploadList policyId={policyId} />
      <StaffListStats search={search} />
      <section aria-labelledby="history-title">
        <h2 id="history-title" className={classes.cardTitle}>
          Import history
        </h2>
        <StaffListHistory list={list} />
      </section>
    </div>
  )
}
