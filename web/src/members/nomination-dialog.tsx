import { ActionIcon, Button, Fieldset, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import { shareText } from "@milkwood/domain/kernel/shares"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { maxNominees, nomineeRelationshipNames, nomineeRelationships } from "@milkwood/domain/members/nomination"
import type { NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { IconTrash } from "@tabler/icons-react"
import { useRef } from "react"
import { BankFields } from "../ui/bank-fields.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { ShareInput, ShareTotal, unassignedShare } from "../ui/share-input.tsx"
import { useNominationCommands } from "./members.api.ts"
import classes from "./members.module.css"
import {
  createNomineeDraft,
  type NominationDraft,
  type NomineeDraft,
  nominationErrors,
  toNominee,
  toNomineeDraft,
} from "./nomination-draft.ts"

interface NominationDialogProps {
  member: MemberDetail
  /** Prefills the form. */
  before: NominationDetail | undefined
  /** The id of the nomination to correct; omitted: a new one. */
  corrects?: string
  onClose: () => void
}

const relationshipChoices = nomineeRelationships.map((value) => ({ value, label: nomineeRelationshipNames[value] }))

export default function NominationDialog({ member, before, corrects, onClose }: NominationDialogProps) {
  const { today } = useDisplay()
  const { record, correct } = useNominationCommands()
  const list = useRef<HTMLDivElement>(null)
  const isCorrection = corrects !== undefined
  const form = useForm<NominationDraft>({
    initialValues: {
      fromOn: isCorrection ? (before?.fromOn ?? null) : today,
      reason: "",
      nominees: before?.nominees.map(toNomineeDraft) ?? [createNomineeDraft({ share: "100.00" })],
    },
    validate: (values) => ({
      ...nominationErrors(values, today),
      ...(isCorrection && values.reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    }),
  })
  const { nominees } = form.getValues()
  const left = unassignedShare(nominees)
  const add = (values: Partial<NomineeDraft> = {}) => {
    form.insertListItem("nominees", createNomineeDraft({ share: left > 0 ? shareText(left) : "", ...values }))
    setTimeout(() => list.current?.querySelector<HTMLInputElement>("fieldset:last-of-type input")?.focus())
  }
  const namesOnForm = new Set(nominees.map(({ name }) => name.trim().toLowerCase()))
  const suggested = member.dependents.filter(
    ({ firstName, lastName }) => !namesOnForm.has(`${firstName} ${lastName}`.toLowerCase()),
  )
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={760}
      title={isCorrection ? "Correct nomination" : before ? "Replace beneficiaries" : "Add beneficiaries"}
      submit={isCorrection ? "Save correction" : "Save beneficiaries"}
      words={
        isCorrection
          ? "For a nomination that was recorded wrongly. The wrong one stays in the history."
          : "These people receive the benefit for the member’s own death. An earlier nomination applies until the day before."
      }
      form={form}
      save={({ fromOn, reason, nominees: drafts }) => {
        const set = { memberId: member.id, fromOn: fromOn!, nominees: drafts.map(toNominee) }
        return isCorrection ? correct.mutateAsync({ ...set, nominationId: corrects, reason }) : record.mutateAsync(set)
      }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DayInput
          label="Applies from"
          description="The day on the signed form"
          required
          latest={today || undefined}
          {...form.getInputProps("fromOn")}
        />
      </SimpleGrid>
      <div ref={list} className={classes.nominees}>
        {nominees.map(({ key }, at) => (
          <NomineeFields
            key={key}
            form={form}
            at={at}
            left={left}
            onRemove={() => {
              form.removeListItem("nominees", at)
              setTimeout(() => list.current?.parentElement?.querySelector<HTMLElement>("[data-add]")?.focus())
            }}
          />
        ))}
      </div>
      {nominees.length === 0 && (
        <InlineError tone="warning">Without beneficiaries, this revokes the earlier nomination.</InlineError>
      )}
      <Group gap="xs">
        <Button data-add variant="light" disabled={nominees.length >= maxNominees} onClick={() => add()}>
          Add person
        </Button>
        {nominees.length < maxNominees &&
          suggested.map(({ id, firstName, lastName, relationship, idNumber, dateOfBirth }) => (
            <Button
              key={id}
              variant="default"
              onClick={() =>
                add({ name: `${firstName} ${lastName}`, relationship, idNumber: idNumber ?? "", dateOfBirth })
              }
            >
              Add {firstName} {lastName}
            </Button>
          ))}
      </Group>
      {nominees.length > 0 && <ShareTotal left={left} />}
      {isCorrection && (
        <Textarea label="Reason" required autosize minRows={2} maxLength={1000} {...form.getInputProps("reason")} />
      )}
    </FormDialog>
  )
}

interface NomineeFieldsProps {
  form: UseFormReturnType<NominationDraft>
  at: number
  /** The share that is not yet assigned. */
  left: number
  onRemove: () => void
}

function NomineeFields({ form, at, left, onRemove }: NomineeFieldsProps) {
  const path = (field: keyof NomineeDraft) => `nominees.${at}.${field}`
  const { name, relationship, share } = form.getValues().nominees[at]!
  const isPerson = relationship !== "organisation"
  const title = name.trim() || `Person ${at + 1}`
  return (
    <Fieldset
      legend={
        <Group gap={4}>
          {title}
          <ActionIcon aria-label={`Remove ${title}`} color="red" onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      }
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
          <TextInput label="Name" required maxLength={140} {...form.getInputProps(path("name"))} />
          <Select
            label="Relationship"
            required
            data={relationshipChoices}
            {...form.getInputProps(path("relationship"))}
          />
          <ShareInput
            title={title}
            value={share}
            left={left}
            inputProps={form.getInputProps(path("share"))}
            onFill={(rest) => form.setFieldValue(path("share"), rest)}
          />
          {isPerson && (
            <>
              <TextInput
                label="ID number"
                inputMode="numeric"
                maxLength={20}
                {...form.getInputProps(path("idNumber"))}
              />
              <DayInput label="Date of birth" {...form.getInputProps(path("dateOfBirth"))} />
            </>
          )}
          <TextInput label="Phone" type="tel" {...form.getInputProps(path("phone"))} />
          <TextInput label="E-mail" type="email" {...form.getInputProps(path("email"))} />
        </SimpleGrid>
        <BankFields
          inputProps={(field) => form.getInputProps(path(field))}
          onChange={(field, value) => form.setFieldValue(path(field), value)}
        />
      </Stack>
    </Fieldset>
  )
}
