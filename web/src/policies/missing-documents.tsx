import { InlineError } from "../ui/inline-error.tsx"

/** A warning only: the policy can still be activated. */
export function MissingDocuments({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <InlineError tone="warning">
      {names.length === 1 ? "A required document is missing" : "Required documents are missing"}: {names.join(", ")}.
      The policy can be activated without {names.length === 1 ? "it" : "them"}; what is missing stays listed under
      Policy Documents.
    </InlineError>
  )
}
