import { Button, Stack } from "@mantine/core"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { type PolicyStep, stepOf } from "@milkwood/domain/policies/policy-form"
import { linkOptions } from "@tanstack/react-router"
import type { ListPlace } from "../ui/list-address.ts"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useUploads } from "../ui/use-uploads.ts"
import { Wizard } from "../ui/wizard.tsx"
import { PolicyDocuments } from "./policy-documents.tsx"
import { type DraftDefaults, missingStepsOf } from "./policy-draft.ts"
import { PolicyMembers } from "./policy-members.tsx"
import type { MemberSearch } from "./policy-places.ts"
import { DetailsStep, QuickStats, ReviewStep, StaleNotice } from "./policy-wizard-steps.tsx"
import { usePolicyWizard } from "./use-policy-wizard.ts"

interface PolicyWizardProps<S extends MemberSearch & { tab: PolicyStep }> {
  /** Omitted: the first save creates a draft. */
  draft?: PolicyDetail
  defaults?: DraftDefaults
  list: ListPlace<S>
}

/** The first save stores a draft, which can be continued later. */
export function PolicyWizard<S extends MemberSearch & { tab: PolicyStep }>(props: PolicyWizardProps<S>) {
  const { defaults, list } = props
  const wizard = usePolicyWizard(props.draft, defaults, list.search.tab)
  const { form, draft, autosave, activate } = wizard
  const uploads = useUploads()
  const missing = missingStepsOf(form.values, draft)
  const missingAt = (step: PolicyStep) => missing.filter((lack) => stepOf(lack) === step).map(({ label }) => label)
  return (
    <Wizard
      title="New policy"
      badge={draft && <StatusBadge status={draft.status} label={`Draft ${draft.number}`} />}
      back={{ ...linkOptions({ to: "/policies" }), label: "Back to Policies" }}
      step={list.search.tab}
      onStep={(tab) => void wizard.goTo(tab)}
      autosave={autosave}
      actions={
        <Button variant="default" loading={autosave.state === "saving"} onClick={() => void wizard.saveDraft()}>
          Save Draft
        </Button>
      }
      summary={<QuickStats draft={draft} values={form.values} />}
      finish={{
        label: "Activate Policy",
        onFinish: () => void wizard.finish(),
        busy: activate.isPending,
        disabled: missing.length > 0,
        error: activate.error ?? undefined,
      }}
      steps={[
        {
          value: "details",
          label: "Policy Details",
          missing: missingAt("details"),
          content: (
            <Stack gap="md">
              {wizard.stale && <StaleNotice {...wizard.stale} />}
              <DetailsStep form={form} made={wizard.made} draft={draft} onRates={wizard.continueFrom} />
            </Stack>
          ),
        },
        {
          value: "members",
          label: "Members",
          missing: missingAt("members"),
          content: draft ? <PolicyMembers policy={draft} list={list} always /> : null,
        },
        {
          value: "documents",
          label: "Documents",
          missing: [],
          opensEarly: draft !== undefined,
          content: draft ? <PolicyDocuments policyId={draft.id} uploads={uploads} /> : null,
        },
        {
          value: "activate",
          label: "Activate",
          missing: [],
          content: draft ? <ReviewStep draft={draft} missing={missing.map(({ label }) => label)} /> : null,
        },
      ]}
    />
  )
}
