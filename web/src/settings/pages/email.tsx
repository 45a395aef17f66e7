import { Button, Skeleton } from "@mantine/core"
import { outboxList } from "@milkwood/domain/settings/outbox.list"
import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { IconRefresh, IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, useLocation } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { EmailTabs } from "../email-tabs.tsx"
import { mailBulkSteps } from "../mail-bulk-steps.ts"
import { MailServerChange } from "../mail-server-change.tsx"
import { MailState } from "../mail-state.tsx"
import { settingsQuery, useOutboxCommands } from "../settings.api.ts"
import { TestMailDialog } from "../test-mail-dialog.tsx"

export const Route = createFileRoute("/_app/settings/email")({
  ...untypedListAddress,
  component: EmailSettings,
})

const address = listAddress(outboxList)

const columns = columnsOf<MailRow, typeof outboxList>(outboxList, {
  createdAt: { width: 140, card: "line", cell: (mail) => <InstantText at={mail.createdAt} /> },
  to: { width: 230 },
  subject: { card: "title", wide: true },
  state: { cell: (mail) => <MailState mail={mail} /> },
  sentAt: { width: 130, cell: (mail) => <InstantText at={mail.sentAt} /> },
})

const MailTemplates = lazy(() => import("../mail-templates.tsx"))
const MailServerSettings = lazy(() => import("../mail-server.tsx"))

function EmailSettings() {
  const { hash } = useLocation()
  const Part = hash === "templates" ? MailTemplates : hash === "server" ? MailServerSettings : Outbox
  return (
    <>
      <EmailTabs hash={hash} />
      <MailServerChange />
      <Suspense fallback={<Skeleton h={420} maw={720} aria-label="Loading" />}>
        <Part />
      </Suspense>
    </>
  )
}

function Outbox() {
  const list = useLooseListPlace(address, Route.useSearch())
  const settings = useQuery(settingsQuery())
  const { retry, sendTest } = useOutboxCommands()
  const [testing, setTesting] = useState(false)
  const isKept = settings.data?.mailDelivery === "outbox" || settings.data?.mailDelivery === "off"
  const test = (
    <Button size="compact-sm" h={30} leftSection={<IconSend size={14} />} onClick={() => setTesting(true)}>
      Send test e-mail
    </Button>
  )
  return (
    <>
      {isKept && (
        <InlineError tone="warning" mb="md">
          {settings.data?.mailDelivery === "off" ? "E-mail is switched off (SMTP_URL)" : "No mail server is set up"}:
          e-mails stay here and are not delivered. Open an e-mail to read it or to copy its link.
        </InlineError>
      )}
      <DataTable
        {...tableOf(outboxList)}
        list={list}
        query={(search) => api.settings.outbox.list.queryOptions({ input: search })}
        columns={columns}
        rowId={(mail) => mail.id}
        rowName={(mail) => `${mail.subject} to ${mail.to}`}
        rowLink={(mail) => linkOptions({ to: "/settings/email/$mailId", params: { mailId: mail.id } })}
        rowActions={(mail) =>
          mail.allowedActions.includes("retry")
            ? [
                {
                  label: "Send again",
                  icon: <IconRefresh size={14} />,
                  onClick: () => retry.mutate({ mailId: mail.id }),
                },
              ]
            : []
        }
        bulkSteps={mailBulkSteps}
        tools={test}
        failed="Failed to load the e-mail"
        empty={{ title: "No e-mails yet", words: "Confirmations, invitations and invoices appear here.", action: test }}
      />
      {testing && (
        <TestMailDialog
          onClose={() => setTesting(false)}
          words="The test is sent like any other e-mail; the list shows its status."
          send={(to) => sendTest.mutateAsync({ to })}
        />
      )}
    </>
  )
}
