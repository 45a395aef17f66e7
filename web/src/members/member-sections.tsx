import { Box } from "@mantine/core"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { memberFields } from "@milkwood/domain/members/member-fields"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { EffectNote } from "../billing/effect-note.tsx"
import { client } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { fieldRowsOf, requiredIn } from "../ui/declared-fields.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { rethrowFieldErrors } from "../ui/refused-fields.ts"
import { SectionEditor } from "../ui/section-editor.tsx"
import { DependentsEditor, DependentsTable } from "./dependents-editor.tsx"
import { toDependentInput } from "./member-draft.ts"
import {
  ContactInputs,
  EmploymentInputs,
  findIdNumberProblem,
  findPhoneProblem,
  type PersonalFields,
  PersonalInputs,
} from "./member-fields.tsx"
import { useMemberCommands } from "./members.api.ts"

/** Explains the difference: removal means never covered, while a last day ends cover and keeps the dependent. */
function RemovedDependents(props: { before: MemberDetail["dependents"]; after: readonly DependentInput[] }) {
  const { dayFormat } = useDisplay()
  const removed = props.before.filter(({ id }) => !props.after.some((kept) => kept.id === id))
  if (removed.length === 0) return null
  const said = removed.map((one) => `${one.firstName} ${one.lastName} from ${formatDay(one.fromOn, dayFormat)}`)
  return (
    <InlineError tone="warning">
      This deletes all cover of {said.join(", ")}. To end cover and keep it on record, set a last day instead.
    </InlineError>
  )
}

export function MemberSections({ member }: { member: MemberDetail }) {
  const { update } = useMemberCommands()
  const { today } = useDisplay()
  const canEdit = member.allowedActions.includes("edit")
  const memberId = member.id
  return (
    <>
      <SectionEditor<PersonalFields, MemberDetail>
        name="personal"
        title="Personal Info"
        record={member}
        reload={() => client.members.detail({ memberId: member.id })}
        canEdit={canEdit}
        values={({ personal }) => ({
          ...personal,
          idNumber: personal.idNumber ?? "",
          passportNumber: personal.passportNumber ?? "",
        })}
        fields={{
          ...fieldRowsOf(memberFields, "personal"),
          dateOfBirth: {
            label: memberFields.dateOfBirth.label,
            show: (day, { birthYear }) => (day ? <DayText day={day} /> : birthYear),
          },
        }}
        validate={{
          ...requiredIn(memberFields, "personal"),
          idNumber: (text, { dateOfBirth }) => findIdNumberProblem(text, today, dateOfBirth),
        }}
        save={(personal, version) =>
          update.mutateAsync({ memberId, version, personal }).catch(rethrowFieldErrors("personal"))
        }
      >
        {(form) => <PersonalInputs form={form} />}
      </SectionEditor>
      <SectionEditor
        name="contact"
        title="Contact Info"
        record={member}
        reload={() => client.members.detail({ memberId: member.id })}
        canEdit={canEdit}
        values={(record) => record.contact}
        fields={fieldRowsOf(memberFields, "contact")}
        validate={{ phone: findPhoneProblem }}
        save={(contact, version) =>
          update.mutateAsync({ memberId, version, contact }).catch(rethrowFieldErrors("contact"))
        }
      >
        {(form) => <ContactInputs form={form} />}
      </SectionEditor>
      <SectionEditor
        name="employment"
        title="Employment"
        record={member}
        reload={() => client.members.detail({ memberId: member.id })}
        canEdit={canEdit}
        values={(record) => record.employment}
        fields={fieldRowsOf(memberFields, "employment")}
        save={(employment, version) =>
          update.mutateAsync({ memberId, version, employment }).catch(rethrowFieldErrors("employment"))
        }
      >
        {(form) => <EmploymentInputs form={form} />}
      </SectionEditor>
      <SectionEditor<{ dependents: DependentInput[] }, MemberDetail>
        name="dependents"
        title="Dependents"
        record={member}
        reload={() => client.members.detail({ memberId: member.id })}
        canEdit={canEdit}
        values={({ dependents }) => ({ dependents })}
        fields={{
          dependents: {
            label: "Insured with the member",
            wide: true,
            show: (dependents) => (dependents.length > 0 ? <DependentsTable dependents={dependents} /> : "None"),
          },
        }}
        save={({ dependents }, version) =>
          update.mutateAsync({ memberId, version, dependents: dependents.map(toDependentInput) })
        }
      >
        {(form) => (
          <Box style={{ gridColumn: "1 / -1" }}>
            <DependentsEditor
              value={form.values.dependents}
              errors={form.errors}
              onChange={(dependents) => form.setFieldValue("dependents", dependents)}
            />
            <RemovedDependents before={member.dependents} after={form.values.dependents} />
            <EffectNote
              change={form.isDirty() ? { act: "changeDependents", memberId, dependents: form.values.dependents } : null}
            />
          </Box>
        )}
      </SectionEditor>
    </>
  )
}
