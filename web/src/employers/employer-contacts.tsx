import { Button, Checkbox, Group, Stack, Table, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import {
  type ContactPurpose,
  contactProblems,
  contactPurposeHints,
  contactPurposeNames,
  contactPurposes,
  employerContactFields,
} from "@milkwood/domain/employers/employer-contact"
import type { EmployerContact, EmployerDetail } from "@milkwood/domain/employers/employers.contract"
import { emptyDraft, namesIn, pick } from "@milkwood/domain/kernel/declared-field"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import { FieldInputs, requiredIn } from "../ui/declared-fields.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { rethrowFieldErrors } from "../ui/refused-fields.ts"
import { employerContactsQuery, useContactCommands } from "./employers.api.ts"

const fieldNames = namesIn(employerContactFields, "contact")

export function EmployerContacts({ employer }: { employer: EmployerDetail }) {
  const groupId = employer.id
  const query = useQuery(employerContactsQuery(groupId))
  const { remove } = useContactCommands()
  const confirm = useConfirm()
  const [edited, setEdited] = useState<EmployerContact | "new">()
  const canEdit = employer.allowedActions.includes("edit")
  if (query.isPending) return <RecordLoading words="Loading contacts..." />
  if (!query.data) return <LoadFailed title="Failed to load contacts" error={query.error} onRetry={query.refetch} />
  const contacts = query.data
  const askToRemove = ({ id: contactId, name }: EmployerContact) =>
    confirm({
      title: `Remove ${name}?`,
      body: "Mails of the contact's purposes go to the other contacts, or to the main contact of each policy.",
      confirm: "Remove contact",
      danger: true,
      action: () => remove.mutateAsync({ groupId, contactId }),
    })
  return (
    <SidePanel title="Contacts">
      <Stack>
        <Text c="dimmed">
          Mails go to the contacts of their purpose; without one, to the main contact of the policy.
        </Text>
        {contacts.length > 0 && (
          <Table.ScrollContainer minWidth={620}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Email</Table.Th>
                  <Table.Th>Telephone</Table.Th>
                  <Table.Th>Purposes</Table.Th>
                  {canEdit && <Table.Th aria-label="Actions" />}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {contacts.map((contact) => (
                  <Table.Tr key={contact.id}>
                    <Table.Td>
                      {contact.name}
                      {contact.position && (
                        <Text size="sm" c="dimmed">
                          {contact.position}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>{contact.email || "–"}</Table.Td>
                    <Table.Td>{[contact.phone, contact.cell].filter(Boolean).join(", ") || "–"}</Table.Td>
                    <Table.Td>
                      {contact.purposes.map((purpose) => contactPurposeNames[purpose]).join(", ") || "–"}
                    </Table.Td>
                    {canEdit && (
                      <Table.Td>
                        <Group gap="xs" justify="flex-end" wrap="nowrap">
                          <Button
                            variant="default"
                            aria-label={`Edit ${contact.name}`}
                            onClick={() => setEdited(contact)}
                          >
                            Edit
                          </Button>
                          <Button
                            variant="default"
                            aria-label={`Remove ${contact.name}`}
                            onClick={() => askToRemove(contact)}
                          >
                            Remove
                          </Button>
                        </Group>
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {canEdit && (
          <Group>
            <Button variant="default" onClick={() => setEdited("new")}>
              Add contact
            </Button>
          </Group>
        )}
      </Stack>
      {edited && (
        <ContactDialog
          groupId={groupId}
          {...(edited !== "new" && { contact: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </SidePanel>
  )
}

interface ContactDialogProps {
  groupId: string
  /** Without it, a new contact. */
  contact?: EmployerContact
  onClose: () => void
}

function ContactDialog({ groupId, contact, onClose }: ContactDialogProps) {
  const { add, update } = useContactCommands()
  const form = useForm({
    initialValues: {
      ...(contact ? pick(contact, fieldNames) : emptyDraft(employerContactFields)),
      purposes: contact?.purposes ?? ([] as ContactPurpose[]),
    },
    validate: {
      ...requiredIn(employerContactFields, "contact"),
      email: (_email, values) => contactProblems(values).email ?? null,
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={contact ? `Edit ${contact.name}` : "Add contact"}
      submit={contact ? "Save contact" : "Add contact"}
      form={form}
      save={(values) =>
        (contact
          ? update.mutateAsync({ groupId, contactId: contact.id, version: contact.version, values })
          : add.mutateAsync({ groupId, values })
        ).catch(rethrowFieldErrors("values"))
      }
    >
      <FieldInputs
        fields={employerContactFields}
        section="contact"
        form={form}
        special={{ name: { required: true } }}
      />
      <Checkbox.Group label="Purposes" {...form.getInputProps("purposes")}>
        <Stack gap="xs" mt="xs">
          {contactPurposes.map((purpose) => (
            <Checkbox
              key={purpose}
              value={purpose}
              label={contactPurposeNames[purpose]}
              description={contactPurposeHints[purpose]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
