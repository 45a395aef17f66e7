import { Button, Fieldset, List, SimpleGrid, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { type PolicyStep, stepOf } from "@milkwood/domain/policies/policy-form"
import { useQuery } from "@tanstack/react-query"
import { linkOptions, useNavigate } from "@tanstack/react-router"
import { refusalCode } from "../platform/errors.ts"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { showRefusedFields } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import type { ListPlace } from "../ui/list-address.ts"
import { MoneyText } from "../ui/money.tsx"
import { Facts, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useToast } from "../ui/toast.tsx"
import { useAutosave } from "../ui/use-autosave.ts"
import { Wizard } from "../ui/wizard.tsx"
import { GroupChoice } from "./group-choice.tsx"
import { policyQuery, usePolicyCommands } from "./policies.api.ts"
import { type DraftDefaults, type DraftValues, hasGroup, missingOf, usePolicyDraft, valuesOf } from "./policy-draft.ts"
import { ContactInputs, CoverageInputs, InformationInputs } from "./policy-fields.tsx"
import { PolicyMembers } from "./policy-members.tsx"
import type { MemberSearch } from "./policy-places.ts"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The draft that a form at its first address has made. */
    draftId?: string
  }
}

interface PolicyWizardProps<S extends MemberSearch & { tab: PolicyStep }> {
  /** The draft that is gone on with; left out, the first save makes one. */
  draft?: PolicyDetail
  /** What a new one starts with. */
  defaults?: DraftDefaults
  list: ListPlace<S>
}

/** The create wizard: a real draft from the first save, which can be left and come back to. */
export function PolicyWizard<S extends MemberSearch & { tab: PolicyStep }>(props: PolicyWizardProps<S>) {
  const { draft: first, defaults, list } = props
  const navigate = useNavigate()
  const toast = useToast()
  const { activate } = usePolicyCommands()
  const form = useForm<DraftValues>({ initialValues: valuesOf(first, defaults) })
  const { draftId, save, saved, stale, settle } = usePolicyDraft(first)
  const fresh = useQuery({ ...policyQuery(draftId ?? ""), enabled: draftId !== undefined })
  const draft = fresh.data ?? first
  const { values } = form

  const autosave = useAutosave({
    values,
    // A new group is made when it is asked for, not from the first letters of its name.
    enabled: stale === undefined && (draftId !== undefined || (values.groupKind === "existing" && hasGroup(values))),
    save: async (current) => {
      try {
        const made = saved() === undefined
        const answer = await save(current)
        form.clearErrors()
        if (made) await adopt(answer)
      } catch (error) {
        if (refusalCode(error) === "NAME_TAKEN")
          form.setFieldError("groupName", "There is already a group of this name")
        else showRefusedFields({ setErrors: form.setErrors }, error)
        throw error
      }
    },
  })

  /** The draft's own address, without losing the field one is typing in; a reload opens the edit page. */
  const adopt = async (made: PolicyDetail) => {
    const { groupId, information, coverage } = made
    form.setValues({
      groupKind: "existing",
      groupId,
      groupName: information.groupName,
      premiumCents: form.getValues().premiumCents ?? coverage.premiumCents,
    })
    await navigate({
      to: ".",
      search: (before: object) => ({ ...before }) as never,
      mask: {
        to: "/policies/$policyId/edit",
        params: { policyId: made.id },
        search: { tab: list.search.tab },
        unmaskOnReload: true,
      },
      replace: true,
      // Without a state of its own this would be the address one is at, and the router would leave it as it is.
      state: (before) => ({ ...before, draftId: made.id }),
    })
  }
  const goTo = async (tab: string) => {
    if (!(await autosave.saveNow())) return
    const policyId = saved()?.id
    if (!policyId) return
    // All of it was saved just now; the form only takes over what the draft was made with.
    await navigate({
      to: "/policies/$policyId/edit",
      params: { policyId },
      search: { tab: tab as PolicyStep },
      ignoreBlocker: true,
    })
  }
  const saveDraft = async () => {
    if (!hasGroup(values)) {
      form.setFieldError(values.groupKind === "new" ? "groupName" : "groupId", "Give the group name")
      return
    }
    if (await autosave.saveNow()) toast.success("Draft saved")
    else toast.error("Failed to save draft", autosave.error)
  }
  const finish = async () => {
    if (!(await autosave.saveNow())) return
    const ready = saved()
    if (!ready) return
    const policy = await activate.mutateAsync({ policyId: ready.id, version: ready.version }).catch(() => undefined)
    if (policy) await navigate({ to: "/policies/$policyId", params: { policyId: policy.id }, ignoreBlocker: true })
  }

  const missing = missingOf(values, draft)
  return (
    <Wizard
      title="New policy"
      badge={draft && <StatusBadge status={draft.status} label={`Draft ${draft.number}`} />}
      back={{ ...linkOptions({ to: "/policies" }), label: "Back to Policies" }}
      step={list.search.tab}
      onStep={(tab) => void goTo(tab)}
      autosave={autosave}
      actions={
        <Button variant="default" loading={autosave.state === "saving"} onClick={() => void saveDraft()}>
          Save Draft
        </Button>
      }
      summary={<QuickStats draft={draft} values={values} />}
      finish={{
        label: "Activate Policy",
        onFinish: () => void finish(),
        busy: activate.isPending,
        disabled: missing.length > 0,
        error: activate.error ?? undefined,
      }}
      steps={[
        {
          value: "details",
          label: "Policy Details",
          missing: missing.filter((lack) => stepOf(lack) === "details").map(({ label }) => label),
          content: (
            <Stack gap="md">
              {stale && (
                <StaleNotice
                  onTheirs={() => {
                    form.setValues(valuesOf(stale))
                    settle()
                  }}
                  onMine={settle}
                />
              )}
              <Fieldset legend="Policy Information">
                <Stack gap="sm">
                  <GroupChoice form={form} made={draftId !== undefined} />
                  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                    <InformationInputs form={form} />
                  </SimpleGrid>
                </Stack>
              </Fieldset>
              <Fieldset legend="Coverage Details">
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                  <CoverageInputs form={form} />
                </SimpleGrid>
              </Fieldset>
              <Fieldset legend="Main Contact">
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                  <ContactInputs form={form} />
                </SimpleGrid>
              </Fieldset>
            </Stack>
          ),
        },
        {
          value: "members",
          label: "Members",
          missing: missing.filter((lack) => stepOf(lack) === "members").map(({ label }) => label),
          content: draft ? <PolicyMembers policy={draft} list={list} always /> : null,
        },
        {
          value: "activate",
          label: "Activate",
          missing: [],
          content: draft ? <Review draft={draft} missing={missing.map(({ label }) => label)} /> : null,
        },
      ]}
    />
  )
}

function StaleNotice({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  return (
    <InlineError
      action={
        <Button.Group>
          <Button size="compact-sm" variant="default" onClick={onTheirs}>
            Take theirs
          </Button>
          <Button size="compact-sm" variant="default" onClick={onMine}>
            Keep mine
          </Button>
        </Button.Group>
      }
    >
      Somebody else saved this draft in the meantime. What you typed is still here.
    </InlineError>
  )
}

function QuickStats({ draft, values }: { draft: PolicyDetail | undefined; values: DraftValues }) {
  const members = draft?.members.total ?? 0
  return (
    <SidePanel title="Quick stats">
      <Facts
        rows={[
          ["Number", draft ? <DocumentNumber key="number">{draft.number}</DocumentNumber> : "With the first save"],
          ["Group", values.groupName || "–"],
          ["Members", members],
          [
            "Per member",
            values.premiumCents === null ? (
              "As in the settings"
            ) : (
              <MoneyText key="premium" cents={values.premiumCents} />
            ),
          ],
          ["Monthly", <MoneyText key="monthly" cents={(values.premiumCents ?? 0) * members} />],
        ]}
      />
    </SidePanel>
  )
}

function Review({ draft, missing }: { draft: PolicyDetail; missing: string[] }) {
  const { information, coverage, contact, members } = draft
  return (
    <Stack gap="md">
      {missing.length > 0 ? (
        <InlineError tone="warning">
          Not ready to activate. Still needed:
          <List size="sm">
            {missing.map((label) => (
              <List.Item key={label}>{label}</List.Item>
            ))}
          </List>
        </InlineError>
      ) : (
        <Text>
          Everything is there. Once activated, the policy has a premium of <MoneyText cents={coverage.premiumCents} />{" "}
          per member, and its {members.total} {members.total === 1 ? "member is" : "members are"} covered from{" "}
          <DayText day={information.startOn} /> at the earliest.
        </Text>
      )}
      <Facts
        rows={[
          ["Group name", information.groupName],
          ["Product type", draft.productTypeName ?? "–"],
          ["Start date", <DayText key="start" day={information.startOn} />],
          ["End date", <DayText key="end" day={information.endOn} fallback="None" />],
          ["Premium per member", <MoneyText key="premium" cents={coverage.premiumCents} />],
          ["Members", members.total],
          ["Monthly premium", <MoneyText key="monthly" cents={draft.monthlyPremiumCents} />],
          ["Main contact", contact.contactName || "–"],
          ["Email", contact.contactEmail || "–"],
        ]}
      />
    </Stack>
  )
}
