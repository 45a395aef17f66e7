import { Button, Group, Skeleton, Stack, Text } from "@mantine/core"
import { personFileKeptDays } from "@milkwood/domain/privacy/person-file"
import type { PersonFile } from "@milkwood/domain/privacy/privacy.contract"
import { IconDownload, IconFileZip } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { newKey } from "../../platform/api.ts"
import { InstantText } from "../../ui/day.tsx"
import { formatFileSize } from "../../ui/file-size.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { downloadWithToast } from "../../ui/use-download.ts"
import { personFilesQuery, usePersonFileCommands } from "../privacy.api.ts"

export const Route = createFileRoute("/_app/settings/about/$memberId")({
  staticData: { permission: "privacy.manage" },
  component: AboutPerson,
})

function AboutPerson() {
  const { memberId } = Route.useParams()
  const found = useQuery(personFilesQuery(memberId))
  const { make } = usePersonFileCommands()
  const back = { to: "/members/$memberId", params: { memberId }, label: "Back to the member" } as const
  if (found.isError && !found.data) {
    return (
      <>
        <PageHeader title="Everything recorded" back={back} />
        <LoadFailed
          title="Failed to load the files"
          notFound="Member not found"
          error={found.error}
          onRetry={found.refetch}
        />
      </>
    )
  }
  if (!found.data) return <Skeleton h={240} aria-label="Loading the files" />
  const { member, files } = found.data
  const isUnderway = files.some(({ state }) => state === "making")
  return (
    <>
      <PageHeader
        title={`Everything recorded about ${member.name}`}
        name={`Everything recorded, ${member.number}`}
        subtitle={member.number}
        back={back}
      />
      <Stack gap="md" maw={760}>
        <Text size="sm">
          A zip file with a table for each kind of record: the member, dependents, cover, claims with medical details,
          payments, e-mails, who viewed them, and the audit trail; and every document of the claims. Give it to the
          person who requested their data. It is deleted here after {personFileKeptDays} days. Creation and downloads
          are recorded.
        </Text>
        <Group>
          <Button
            leftSection={<IconFileZip size={16} />}
            disabled={isUnderway}
            loading={make.isPending}
            onClick={() => make.mutate({ memberId, idempotencyKey: newKey() })}
          >
            {isUnderway ? "Creating the file" : "Create file"}
          </Button>
        </Group>
        {files.map((file) => (
          <File key={file.id} file={file} />
        ))}
      </Stack>
    </>
  )
}

const stateNames = { making: "In progress", made: "Ready", failed: "Failed", removed: "Deleted" } as const
const stateColours = { making: "processing", made: "active", failed: "failed", removed: "cancelled" } as const

function File({ file }: { file: PersonFile }) {
  const { open } = usePersonFileCommands()
  const download = async () => {
    const { address } = await open.mutateAsync({ fileId: file.id })
    await downloadWithToast(address)
  }
  return (
    <Group justify="space-between" wrap="nowrap" component="section" aria-label={`File of ${file.askedAt}`}>
      <div>
        <Group gap="xs">
          <InstantText at={file.askedAt} />
          <StatusBadge status={stateColours[file.state]} label={stateNames[file.state]} />
        </Group>
        <Text size="sm" c="dimmed">
          Requested by {file.askedBy}
          {file.size !== null && `, ${formatFileSize(file.size)}`}
        </Text>
        {file.message && <InlineError>{file.message}</InlineError>}
      </div>
      {file.allowedActions.includes("download") && (
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={open.isPending}
          onClick={() => void download().catch(() => {})}
        >
          Download
        </Button>
      )}
    </Group>
  )
}
