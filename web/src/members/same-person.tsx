import { Anchor } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"

interface SamePersonNoticeProps {
  idNumber: string
  passportNumber: string
  policyId: string | null
  exceptMemberId?: string
}

/** Warns of duplicate people while the user fills in the form: an error within the policy, a warning otherwise. */
export function SamePersonNotice({ idNumber, passportNumber, policyId, exceptMemberId }: SamePersonNoticeProps) {
  const [typed] = useDebouncedValue([idNumber.replace(/\s/g, ""), passportNumber.trim()] as const, 300)
  const [id, passport] = typed
  const found = useQuery({
    ...api.members.sameIdentity.queryOptions({
      input: {
        ...(id.length === 13 ? { idNumber: id } : {}),
        ...(passport ? { passportNumber: passport } : {}),
        ...(policyId ? { policyId } : {}),
        ...(exceptMemberId ? { exceptMemberId } : {}),
      },
    }),
    enabled: id.length === 13 || passport.length >= 4,
  })
  const people = found.data ?? []
  return people.map((person) => (
    <InlineError key={person.memberId} tone={person.inThisPolicy && !person.ended ? "error" : "warning"}>
      {whereText(person)}
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/members/$memberId" params={{ memberId: person.memberId }} />}
      >
        {person.name}, {person.number}
      </Anchor>{" "}
      in {person.policyNumber} of {person.groupName}
      {person.ended && (
        <>
          , until <DayText day={person.ended.on} />
          {person.ended.reason && `: ${person.ended.reason}`}
        </>
      )}
      .
    </InlineError>
  ))
}

function whereText({ inThisPolicy, ended }: { inThisPolicy: boolean; ended: object | null }): string {
  if (ended) return inThisPolicy ? "This person was in the policy before: " : "The same number was in another policy: "
  return inThisPolicy ? "This person is already in the policy: " : "The same number is also in another policy: "
}
