import { InlineError } from "../ui/inline-error.tsx"

/** Warns of required documents that a policy has none of; it can be activated all the same. */
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
