import { Button, Select, SimpleGrid, Stack } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { namesIn } from "@milkwood/domain/kernel/declared-field"
import { memberFields } from "@milkwood/domain/members/member-fields"
import {
  type MemberDraft,
  type MemberStep,
  memberSteps,
  missingFieldsInStep,
} from "@milkwood/domain/members/member-form"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { useQuery } from "@tanstack/react-query"
import { linkOptions, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { EffectNote } from "../billing/effect-note.tsx"
import { client } from "../platform/api.ts"
import { readIfStale } from "../platform/errors.ts"
import { useSession } from "../platform/session.ts"
import { policyChoiceQuery } from "../policies/policies.api.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { Wizard } from "../ui/wizard.tsx"
import { DependentsEditor } from "./dependents-editor.tsx"
import { draftOf, refusedFieldsOf, sectionsOf } from "./member-draft.ts"
import {
  ContactInputs,
  EmploymentInputs,
  findIdNumberProblem,
  findPhoneProblem,
  PersonalInputs,
} from "./member-fields.tsx"
import { openPolicyStatuses, salariesQuery, useMemberCommands } from "./members.api.ts"
import { SamePersonNotice } from "./same-person.tsx"

interface MemberWizardProps {
  /** Undefined for a new member. */
  member?: MemberDetail
  /** The policy page to return to. */
  policyId?: string
  step: MemberStep
}

const findEmailProblem = (text: string) =>
  text.trim() === "" || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : "This is not an e-mail address"

export function MemberWizard({ member, policyId, step }: MemberWizardProps) {
  const navigate = useNavigate()
  const { form, wrongInStep } = useMemberForm(member, policyId)
  const goTo = (next: string) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, step: next }) as never, resetScroll: true })
  const { save, saved, error, stale, settle } = useSaveMember({ form, member, policyId, goTo })
  const saving = useBusyAction()
  const { values } = form
  return (
    <Wizard
      title={member ? `Edit ${member.personal.firstName} ${member.personal.lastName}` : "New member"}
      badge={member && <StatusBadge status={member.status} />}
      back={{ ...linkOptions({ to: "/members" }), label: "Back to Members" }}
      step={step}
      onStep={goTo}
      unsaved={form.isDirty() && !saved}
      summary={
        <>
          {stale && <StaleNotice onTheirs={() => settle(stale, true)} onMine={() => settle(stale, false)} />}
          <MemberSummary values={values} />
        </>
      }
      finish={{
        label: member ? "Save Changes" : "Save member",
        busyLabel: "Saving...",
        onFinish: () => void saving.run(save),
        busy: saving.busy,
        error: error ?? undefined,
      }}
      steps={memberSteps.map(({ id, label }) => ({
        value: id,
        label,
        missing: [...missingFieldsInStep(id, values), ...wrongInStep(id)],
        content: <StepContent step={id} form={form} member={member} />,
      }))}
    />
  )
}

type MemberForm = UseFormReturnType<MemberDraft>

function useMemberForm(member: MemberDetail | undefined, policyId: string | undefined) {
  const { today } = useDisplay()
  // A stored number that breaks the current rule is accepted until it is changed.
  const phoneWrong = (text: string) => (text === member?.contact.phone ? null : findPhoneProblem(text))
  const form = useForm<MemberDraft>({
    initialValues: draftOf(member, policyId),
    validateInputOnBlur: true,
    validate: {
      idNumber: (text, { dateOfBirth }) => findIdNumberProblem(text, today, dateOfBirth),
      email: findEmailProblem,
      phone: phoneWrong,
    },
  })
  const { idNumber, dateOfBirth, email, phone } = form.values
  const wrongInStep = (id: MemberStep): string[] => [
    ...(id === "personal" && findIdNumberProblem(idNumber, today, dateOfBirth) ? ["a valid ID number"] : []),
    ...(id === "contact" && findEmailProblem(email) ? ["a valid e-mail address"] : []),
    ...(id === "contact" && phoneWrong(phone) ? ["a valid phone number"] : []),
  ]
  return { form, wrongInStep }
}

interface SaveMemberOptions extends Omit<MemberWizardProps, "step"> {
  form: MemberForm
  goTo: (step: string) => void
}

/**
 * Shows refusals in their step. `stale` is the member as another user saved it meanwhile; `settle` continues with
 * either version.
 */
function useSaveMember({ form, member, policyId, goTo }: SaveMemberOptions) {
  const navigate = useNavigate()
  const { create, update } = useMemberCommands()
  const [version, setVersion] = useState(member?.version ?? 0)
  const [stale, setStale] = useState<MemberDetail>()
  const [saved, setSaved] = useState(false)
  const settle = (now: MemberDetail, isSharedStorage: boolean) => {
    if (isSharedStorage) form.setValues(draftOf(now))
    setVersion(now.version)
    setStale(undefined)
  }
  /** Returns to the policy when adding members to it. */
  const leave = (memberId: string) =>
    policyId && !member
      ? navigate({ to: "/policies/$policyId", params: { policyId }, search: { tab: "members" }, ignoreBlocker: true })
      : navigate({ to: "/members/$memberId", params: { memberId }, ignoreBlocker: true })
  const change = async (existing: MemberDetail) => {
    const { tierId, startOn } = form.getValues()
    const sections = sectionsOf(form.getValues())
    const allocation = existing.status === "Pending" && tierId && startOn ? { allocation: { tierId, startOn } } : {}
    const contactChanged = namesIn(memberFields, "contact").some((field) => form.isDirty(field))
    const { contact, ...others } = sections
    const changed = contactChanged ? sections : others
    await update.mutateAsync({ memberId: existing.id, version, ...changed, ...allocation })
    return existing.id
  }
  const add = async () => {
    const { policyId: chosen, tierId, startOn, monthlyCents } = form.getValues()
    const allocation = { policyId: chosen ?? "", tierId: tierId ?? "" }
    const dated = { ...(startOn ? { startOn } : {}), ...(monthlyCents ? { monthlyCents } : {}) }
    const { id } = await create.mutateAsync({ ...sectionsOf(form.getValues()), ...allocation, ...dated })
    return id
  }
  const save = async () => {
    const check = form.validate()
    if (check.hasErrors) return goTo("idNumber" in check.errors ? "personal" : "contact")
    try {
      const memberId = await (member ? change(member) : add())
      setSaved(true)
      await leave(memberId)
    } catch (error) {
      setStale(member && (await readIfStale(error, () => client.members.detail({ memberId: member.id }))))
      const refused = refusedFieldsOf(error)
      if (!refused) return
      form.setErrors(refused.errors)
      goTo(refused.step)
    }
  }
  return { save, saved, error: (member ? update : create).error, stale, settle }
}

function MemberSummary({ values }: { values: MemberDraft }) {
  return (
    <SidePanel title="Member">
      <FactList
        rows={[
          ["Name", `${values.firstName} ${values.lastName}`.trim() || "–"],
          ["ID number", values.idNumber || values.passportNumber || "–"],
          ["Date of birth", <DayText key="born" day={values.dateOfBirth} />],
          ["Email", values.email || "–"],
          ["Dependents", values.dependents.length],
        ]}
      />
    </SidePanel>
  )
}

interface StepProps {
  form: MemberForm
  member: MemberDetail | undefined
}

function StepContent({ step, form, member }: StepProps & { step: MemberStep }) {
  const { values } = form
  switch (step) {
    case "personal":
      return (
        <Stack gap="sm">
          <TwoColumns>
            <PersonalInputs form={form} />
          </TwoColumns>
          <SamePersonNotice {...values} exceptMemberId={member?.id} />
        </Stack>
      )
    case "contact":
      return (
        <TwoColumns>
          <ContactInputs form={form} />
        </TwoColumns>
      )
    case "employment":
      return (
        <TwoColumns>
          <EmploymentInputs form={form} />
        </TwoColumns>
      )
    case "policy":
      return (
        <Stack gap="sm">
          <AllocationInputs form={form} member={member} policyId={values.policyId} />
          {!member && <EffectNote change={proposedJoinOf(values)} />}
        </Stack>
      )
    case "dependents":
      return <DependentsStep form={form} member={member} />
  }
}

const TwoColumns = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    {children}
  </SimpleGrid>
)

function DependentsStep({ form, member }: StepProps) {
  const { dependents } = form.values
  const changed = (memberId: string): ProposedChange | null =>
    form.isDirty("dependents") ? { act: "changeDependents", memberId, dependents } : null
  return (
    <Stack gap="sm">
      <DependentsEditor
        value={dependents}
        errors={form.errors}
        onChange={(others) => form.setFieldValue("dependents", others)}
      />
      <EffectNote change={member ? changed(member.id) : proposedJoinOf(form.values)} />
    </Stack>
  )
}

interface AllocationProps {
  form: Pick<UseFormReturnType<MemberDraft>, "getInputProps">
  member: MemberDetail | undefined
}

function AllocationInputs({ form, member, policyId }: AllocationProps & { policyId: string | null }) {
  const choices = useQuery(benefitChoicesQuery())
  const policy = useQuery(policyChoiceQuery(policyId)).data?.[0]
  const dated = member !== undefined && member.status !== "Pending"
  const tier = form.getInputProps("tierId")
  return (
    <Stack gap="sm">
      <PolicySelect
        label="Group policy"
        required
        statuses={openPolicyStatuses}
        disabled={member !== undefined}
        description={member && "The policy cannot be changed. To move a member, end this membership first"}
        {...form.getInputProps("policyId")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Benefit tier"
          required
          disabled={dated}
          description={dated ? "Change it from a date, on the member's page" : undefined}
          placeholder={choices.isPending ? "Loading..." : "Choose a benefit tier"}
          data={choices.data?.tiers.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          {...tier}
          error={tier.error ?? (choices.isError && "The benefit tiers could not be loaded. Please try again.")}
        />
        <DayInput
          label="Start date"
          disabled={dated}
          description={
            dated
              ? "Cannot be changed after the policy is activated"
              : "Leave empty to use today, or the start date of a draft policy"
          }
          {...form.getInputProps("startOn")}
        />
        {policy?.bySalary && <SalaryInput form={form} member={member} />}
      </SimpleGrid>
    </Stack>
  )
}

/** Shown if rates depend on salaries and the user may see them. For an existing member, shows today's salary. */
function SalaryInput({ form, member }: AllocationProps) {
  const { can } = useSession()
  const { today } = useDisplay()
  const may = can("members.salary")
  const salaries = useQuery(salariesQuery(may && member ? member.id : null))
  if (!may) return null
  const now = salaries.data?.find(({ fromOn }) => fromOn <= today)
  return member ? (
    <MoneyInput
      label="Monthly salary"
      disabled
      description="Set from a date, on the member's page"
      value={now?.monthlyCents ?? null}
    />
  ) : (
    <MoneyInput
      label="Monthly salary"
      description="Used for the rates of this policy. It never appears in documents, e-mails or history"
      {...form.getInputProps("monthlyCents")}
    />
  )
}

/** Null until policy and tier are chosen. */
function proposedJoinOf(draft: MemberDraft): ProposedChange | null {
  const { policyId, tierId, startOn, monthlyCents, idNumber, passportNumber, dateOfBirth, dependents } = draft
  if (policyId === null || tierId === null) return null
  return {
    ...{ act: "addMember", policyId, tierId, startOn, monthlyCents },
    idNumber: idNumber.trim() || null,
    passportNumber: passportNumber.trim() || null,
    dateOfBirth,
    dependents: dependents.map(({ idNumber, relationship, dateOfBirth, fromOn, untilOn }) => ({
      ...{ idNumber, relationship, dateOfBirth, fromOn, untilOn },
    })),
  }
}

function StaleNotice({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  return (
    <InlineError mb="sm">
      Someone else saved this member in the meantime. Your changes are still here.
      <Button.Group mt="xs">
        <Button size="compact-sm" variant="default" onClick={onTheirs}>
          Use theirs
        </Button>
        <Button size="compact-sm" variant="default" onClick={onMine}>
          Keep mine
        </Button>
      </Button.Group>
    </InlineError>
  )
}
