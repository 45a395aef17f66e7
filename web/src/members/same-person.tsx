import { Anchor } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { InlineError } from "../ui/inline-error.tsx"

interface SamePersonProps {
  idNumber: string
  passportNumber: string
  policyId: string | null
  exceptMemberId?: string
}

/** Says while the form is filled in where the same person is already: an error in this policy, a warning in others. */
export function SamePerson({ idNumber, passportNumber, policyId, exceptMemberId }: SamePersonProps) {
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
    <InlineError key={person.memberId} tone={person.inThisPolicy ? "error" : "warning"}>
      {person.inThisPolicy ? "This person is already in the policy: " : "The same number is also in another policy: "}
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/members/$memberId" params={{ memberId: person.memberId }} />}
      >
        {person.name}, {person.number}
      </Anchor>{" "}
      in {person.policyNumber} of {person.groupName}.
    </InlineError>
  ))
}
