import { Button, Group, Modal, SegmentedControl, Stack, Table, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type BulkRefusal, bulkEmptyMessage } from "@milkwood/domain/members/bulk-members"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { type FormEvent, useState } from "react"
import { datedActTexts } from "../members/dated-acts.ts"
import { errorTextOf } from "../platform/errors.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText, showRefusedFields } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { useToast } from "../ui/toast.tsx"
import { useBulkCommands } from "./policies.api.ts"

type BulkMode = "add" | "remove"

const modeTexts: Record<BulkMode, { words: string; example: string; submit: string }> = {
  add: {
    words:
      "One member per line: name, e-mail, position. Leave the position after the last comma empty to use Employee.",
    example: "Thandi Mokoena, thandi@company.co.za, Nurse",
    submit: "Add members",
  },
  remove: {
    words: "One member per line: the e-mail address, or name and e-mail address.",
    example: "thandi@company.co.za\nThandi Mokoena, thandi@company.co.za",
    submit: "Remove members",
  },
}

/**
 * Adds or removes members from pasted lines. Applied lines leave the field; refused lines stay, each with its reason.
 */
export function BulkMembersDialog({ policy, onClose }: { policy: PolicyDetail; onClose: () => void }) {
  const policyId = policy.id
  const [mode, setMode] = useState<BulkMode>("add")
  const [text, setText] = useState("")
  const [problem, setProblem] = useState<string>()
  const [refused, setRefused] = useState<BulkRefusal[]>([])
  const { add, remove } = useBulkCommands()
  const toast = useToast()
  const busy = add.isPending || remove.isPending
  const { today } = useDisplay()
  // A draft's members are deleted; a policy's members are terminated.
  const ends = mode === "remove" && policy.status !== "Draft"
  const end = useForm({
    initialValues: { on: today as string | null, reason: "" },
    validate: { on: requireText("Enter the last day"), reason: requireText("Enter a reason") },
  })

  const apply = async () => {
    setProblem(undefined)
    setRefused([])
    if (text.trim() === "") {
      toast.error(bulkEmptyMessage, undefined, "Import Failed")
      setProblem(bulkEmptyMessage)
      return
    }
    if (ends && end.validate().hasErrors) return
    try {
      const { on, reason } = end.values
      const given = ends ? { on: on ?? undefined, reason } : {}
      const answer = await (mode === "add"
        ? add.mutateAsync({ policyId, text })
        : remove.mutateAsync({ policyId, text, ...given }))
      setRefused(answer.refused)
      setText(answer.refused.map((line) => line.text).join("\n"))
      if (answer.refused.length === 0) onClose()
    } catch (error) {
      if (!showRefusedFields(end, error)) setProblem(errorTextOf(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void apply()
  }

  return (
    <Modal opened onClose={() => !busy && onClose()} title="Bulk add or remove members" size={640}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Add or remove"
            value={mode}
            onChange={(value) => {
              setMode(value as BulkMode)
              setProblem(undefined)
              setRefused([])
            }}
            data={[
              { value: "add", label: "Add" },
              { value: "remove", label: "Remove" },
            ]}
          />
          <Textarea
            label="Members"
            description={modeTexts[mode].words}
            placeholder={modeTexts[mode].example}
            autosize
            minRows={6}
            maxRows={16}
            data-autofocus
            value={text}
            error={problem}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {ends && (
            <>
              <DayInput label={datedActTexts.terminate.on} required {...end.getInputProps("on")} />
              <Textarea
                label="Reason"
                required
                autosize
                minRows={2}
                maxLength={1000}
                {...end.getInputProps("reason")}
              />
            </>
          )}
          {refused.length > 0 && <RejectedLines lines={refused} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {refused.length > 0 ? "Close" : "Cancel"}
            </Button>
            <Button type="submit" color={mode === "remove" ? "red" : undefined} loading={busy}>
              {modeTexts[mode].submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function RejectedLines({ lines }: { lines: BulkRefusal[] }) {
  return (
    <InlineError tone="warning">
      {lines.length === 1 ? "One line was not applied." : `${lines.length} lines were not applied.`}
      <Table.ScrollContainer minWidth={220} maxHeight={220}>
        <Table horizontalSpacing={0} verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Text</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ line, text, reason }) => (
              <Table.Tr key={line}>
                <Table.Td pr="sm">{text}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </InlineError>
  )
}
