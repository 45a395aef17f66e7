import { ActionIcon, Button, Fieldset, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import {
  maxPayees,
  type PayeeBasis,
  payeeBasisNames,
  payeeRelationshipNames,
  payeeRelationships,
} from "@milkwood/domain/claims/claim-payees"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { ClaimPayees } from "@milkwood/domain/claims/payees.contract"
import { shareText } from "@milkwood/domain/kernel/shares"
import { IconTrash } from "@tabler/icons-react"
import { useRef } from "react"
import { useSession } from "../platform/session.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { ShareInput, ShareTotal, unassignedShare } from "../ui/share-input.tsx"
import { useRecordPayees } from "./claims.api.ts"
import {
  createPayeeDraft,
  type PayeeDraft,
  type PayeesDraft,
  payeesErrors,
  toPayee,
  toPayeeDraft,
} from "./payee-draft.ts"
import { PayeeReceiverFields } from "./payee-receiver-fields.tsx"

const relationshipChoices = payeeRelationships.map((value) => ({ value, label: payeeRelationshipNames[value] }))

interface PayeesDialogProps {
  claim: ClaimDetail
  payees: ClaimPayees
  onClose: () => void
}

export default function PayeesDialog({ claim, payees: { current, proposal, ...found }, onClose }: PayeesDialogProps) {
  const { today } = useDisplay()
  const { user } = useSession()
  const list = useRef<HTMLDivElement>(null)
  const record = useRecordPayees()
  const start = current ?? proposal
  const form = useForm<PayeesDraft>({
    initialValues: { basis: start.basis, reason: start.reason, payees: start.payees.map(toPayeeDraft) },
    validate: (values) => payeesErrors(values, claim, found, today),
  })
  const { basis, payees } = form.getValues()
  const left = unassignedShare(payees)
  const isDecision = basis === "decision"
  const bases: PayeeBasis[] = [proposal.basis, "decision"]
  const add = () => {
    form.insertListItem("payees", createPayeeDraft({ share: left > 0 ? shareText(left) : "" }))
    setTimeout(() => list.current?.querySelector<HTMLInputElement>("fieldset:last-of-type input")?.focus())
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={760}
      title={current ? "Replace payees" : "Record payees"}
      submit="Save payees"
      words="Each payee gets a payment of their part of the approved amount. A payee under 18 on the incident date needs a guardian or a trust."
      form={form}
      save={({ basis, reason, payees: drafts }) =>
        record.mutateAsync({
          ...{ claimId: claim.id, replaces: current?.id ?? null, basis },
          reason: basis === "decision" ? reason : "",
          payees: drafts.map(toPayee),
        })
      }
    >
      <Select
        label="Paid"
        required
        allowDeselect={false}
        data={bases.map((value) => ({
          value,
          label: payeeBasisNames[value],
          disabled: value === "decision" && user.role !== "underwriter",
        }))}
        {...form.getInputProps("basis")}
        onChange={(value) => {
          form.setFieldValue("basis", value as PayeeBasis)
          if (value === proposal.basis) form.setFieldValue("payees", proposal.payees.map(toPayeeDraft))
        }}
      />
      {isDecision && (
        <Textarea
          label="Reason for the decision"
          required
          autosize
          minRows={2}
          maxLength={1000}
          {...form.getInputProps("reason")}
        />
      )}
      <Stack gap="sm" ref={list}>
        {payees.map(({ key }, at) => (
          <PayeeFields
            key={key}
            form={form}
            at={at}
            left={left}
            isFixed={!isDecision}
            onRemove={() => {
              form.removeListItem("payees", at)
              setTimeout(() => list.current?.parentElement?.querySelector<HTMLElement>("[data-add]")?.focus())
            }}
          />
        ))}
      </Stack>
      {isDecision && (
        <Group>
          <Button data-add variant="light" disabled={payees.length >= maxPayees} onClick={add}>
            Add payee
          </Button>
        </Group>
      )}
      <ShareTotal left={left} />
    </FormDialog>
  )
}

interface PayeeFieldsProps {
  form: UseFormReturnType<PayeesDraft>
  at: number
  left: number
  /** Name and share follow from the basis. */
  isFixed: boolean
  onRemove: () => void
}

function PayeeFields({ form, at, left, isFixed, onRemove }: PayeeFieldsProps) {
  const path = (field: keyof PayeeDraft) => `payees.${at}.${field}`
  const { name, relationship, share, receivedBy } = form.getValues().payees[at]!
  const isPerson = relationship !== "organisation" && relationship !== "estate" && relationship !== "member"
  const title = name.trim() || `Payee ${at + 1}`
  return (
    <Fieldset
      legend={
        isFixed ? (
          `${title}, ${share} %`
        ) : (
          <Group gap={4}>
            {title}
            <ActionIcon aria-label={`Remove ${title}`} color="red" onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )
      }
    >
      <Stack gap="sm">
        {!isFixed && (
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
          </SimpleGrid>
        )}
        {isPerson && (
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
            <TextInput label="ID number" inputMode="numeric" maxLength={20} {...form.getInputProps(path("idNumber"))} />
            <DayInput label="Date of birth" {...form.getInputProps(path("dateOfBirth"))} />
          </SimpleGrid>
        )}
        <PayeeReceiverFields
          receivedBy={receivedBy}
          inputProps={(field) => form.getInputProps(path(field))}
          onChange={(field, value) => form.setFieldValue(path(field), value)}
        />
      </Stack>
    </Fieldset>
  )
}
