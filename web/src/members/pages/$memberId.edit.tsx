import { memberSteps } from "@milkwood/domain/members/member-form"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, Navigate } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { MemberWizard } from "../member-wizard.tsx"
import { memberQuery } from "../members.api.ts"

export const Route = createFileRoute("/_app/members/$memberId/edit")({
  ...addressChoice(
    "step",
    memberSteps.map(({ id }) => id),
  ),
  staticData: { permission: "members.write" },
  component: EditMemberPage,
})

/** All of a member on the five-step form. */
function EditMemberPage() {
  const { memberId } = Route.useParams()
  const { step } = Route.useSearch()
  const member = useQuery(memberQuery(memberId))
  if (member.isPending) return <RecordLoading words="Loading member..." />
  if (!member.data) {
    return (
      <>
        <PageHeader title="Edit member" back={{ ...linkOptions({ to: "/members" }), label: "Back to Members" }} />
        <LoadFailed
          title="Failed to load member data"
          notFound="Member not found"
          error={member.error}
          onRetry={member.refetch}
          busy={member.isFetching}
        />
      </>
    )
  }
  if (!member.data.allowedActions.includes("edit")) {
    return <Navigate to="/members/$memberId" params={{ memberId }} replace />
  }
  return <MemberWizard key={memberId} member={member.data} step={step} />
}
