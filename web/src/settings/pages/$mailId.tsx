import { Anchor, Button, CopyButton, Group, Paper, Skeleton, Stack, Text } from "@mantine/core"
import { IconCopy, IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { errorTextOf } from "../../platform/errors.ts"
import { InstantText } from "../../ui/day.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { MailState } from "../mail-state.tsx"
import { useOutboxCommands } from "../settings.api.ts"

export const Route = createFileRoute("/_app/settings/email/$mailId")({ component: MailPage })

const back = { to: "/settings/email", label: "Back to Email" } as const

function MailPage() {
  const { mailId } = Route.useParams()
  const mail = useQuery(api.settings.outbox.detail.queryOptions({ input: { mailId } }))
  const { retry } = useOutboxCommands()
  if (mail.isError && !mail.data) {
    return (
      <>
        <PageHeader title="Mail" back={back} />
        <LoadFailed
          title="Failed to load the e-mail"
          notFound="E-mail not found"
          error={mail.error}
          onRetry={mail.refetch}
        />
      </>
    )
  }
  if (!mail.data) return <Skeleton h={420} aria-label="Loading the e-mail" />
  const {
    to,
    subject,
    text,
    state,
    attempts,
    createdAt,
    sentAt,
    nextAttemptAt,
    lastError,
    attachments,
    allowedActions,
  } = mail.data
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  return (
    <RecordPage
      list="outbox"
      id={mailId}
      back={back}
      title={subject}
      name={subject}
      badge={<MailState mail={{ state }} />}
      primary={
        allowedActions.includes("retry") && (
          <Button
            leftSection={<IconRefresh size={14} />}
            loading={retry.isPending}
            onClick={() => retry.mutate({ mailId })}
          >
            Send again
          </Button>
        )
      }
      side={
        <SidePanel title="Delivery">
          <FactList
            rows={[
              ["To", to],
              ["Created", <InstantText key="written" at={createdAt} />],
              ["Attempts", attempts || undefined],
              ["Next attempt", nextAttemptAt && <InstantText key="next" at={nextAttemptAt} />],
              ["Delivered", sentAt && <InstantText key="sent" at={sentAt} />],
              [
                "Attachments",
                attachments.length > 0 &&
                  attachments.map(({ fileId, name }) => (
                    <Anchor
                      key={fileId}
                      href={`/api/settings/outbox/${mailId}/attachments/${fileId}`}
                      download
                      size="sm"
                      display="block"
                    >
                      {name}
                    </Anchor>
                  )),
              ],
            ]}
          />
        </SidePanel>
      }
    >
      <Stack gap="sm">
        {lastError && <InlineError>Error from the mail server: {lastError}</InlineError>}
        {retry.error && <InlineError>{errorTextOf(retry.error)}</InlineError>}
        <Paper withBorder p="md">
          <Text component="pre" m={0} ff="inherit" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {text}
          </Text>
        </Paper>
        <Group gap="xs">
          {link && <CopyIconButton value={link} words="Copy link" />}
          <CopyIconButton value={text} words="Copy text" />
        </Group>
      </Stack>
    </RecordPage>
  )
}

function CopyIconButton({ value, words }: { value: string; words: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" leftSection={<IconCopy size={14} />} onClick={copy}>
          {copied ? "Copied" : words}
        </Button>
      )}
    </CopyButton>
  )
}
