import { Button, Group } from "@mantine/core"
import { IconFileText, IconMail, IconPhone } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { CallDialog } from "./call-dialog.tsx"
import { contactsQuery } from "./collection.api.ts"
import { ContactList } from "./contact-list.tsx"
import { GracePanel } from "./grace-panel.tsx"
import { MailDialog } from "./mail-dialog.tsx"

export function PolicyCollection({ policyId }: { policyId: string }) {
  const contacts = useQuery(contactsQuery(policyId))
  const [calling, setCalling] = useState(false)
  const [mailing, setMailing] = useState(false)
  if (contacts.isPending) return <RecordLoading words="Loading calls and reminders..." />
  if (!contacts.data)
    return <LoadFailed title="Failed to load calls and reminders" error={contacts.error} onRetry={contacts.refetch} />
  const policy = contacts.data
  return (
    <>
      <Group gap="xs" mb="md">
        {policy.allowedActions.includes("call") && (
          <Button variant="default" leftSection={<IconPhone size={16} aria-hidden />} onClick={() => setCalling(true)}>
            Call
          </Button>
        )}
        {policy.allowedActions.includes("remind") && (
          <Button variant="default" leftSection={<IconMail size={16} aria-hidden />} onClick={() => setMailing(true)}>
            Email
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconFileText size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/policies/$policyId/statement" params={{ policyId }} />}
        >
          Statement of account
        </Button>
      </Group>
      <GracePanel policy={policy} />
      <SidePanel title="Calls and reminders">
        <ContactList contacts={policy.contacts} />
      </SidePanel>
      {mailing && <MailDialog kind="reminder" policy={policy} onClose={() => setMailing(false)} />}
      {calling && <CallDialog policy={policy} onClose={() => setCalling(false)} />}
    </>
  )
}
