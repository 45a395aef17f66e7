import { Button, Group } from "@mantine/core"
import { IconPhone } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { CallDialog } from "./call-dialog.tsx"
import { contactsQuery } from "./collection.api.ts"
import { ContactList } from "./contact-list.tsx"

/** On the policy's page: what was said about its premiums, and what to do next. */
export function PolicyCollection({ policyId }: { policyId: string }) {
  const contacts = useQuery(contactsQuery(policyId))
  const [calling, setCalling] = useState(false)
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
      </Group>
      <SidePanel title="Calls and reminders">
        <ContactList contacts={policy.contacts} />
      </SidePanel>
      {calling && <CallDialog policy={policy} onClose={() => setCalling(false)} />}
    </>
  )
}
