import type { UseQueryResult } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { LoadFailed } from "./load-failed.tsx"
import { PageHeader } from "./page-header.tsx"
import { RecordLoading } from "./record-page.tsx"

interface LoadedRecordProps<Record> {
  record: UseQueryResult<Record>
  title: string
  back: LinkProps & { label: string }
  loading: string
  failed: string
  notFound: string
  children: (record: Record) => ReactNode
}

/**
 * Renders loading, missing and failed records the same way on every page.
 *
 *     <LoadedRecord record={useQuery(claimQuery(claimId))} title="Claim" back={{ to: "/claims", label: "Back to Claims" }}
 *       loading="Loading claim data..." failed="Failed to load claim data" notFound="Claim not found">
 *       {(claim) => <Claim key={claimId} claim={claim} />}
 *     </LoadedRecord>
 */
export function LoadedRecord<Record>(props: LoadedRecordProps<Record>): ReactNode {
  const { record, title, back, loading, failed, notFound, children } = props
  if (record.data !== undefined) return children(record.data)
  if (record.isPending) return <RecordLoading words={loading} />
  return (
    <>
      <PageHeader title={title} back={back} />
      <LoadFailed
        title={failed}
        notFound={notFound}
        error={record.error}
        onRetry={record.refetch}
        busy={record.isFetching}
      />
    </>
  )
}
