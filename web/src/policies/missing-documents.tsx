import { InlineError } from "../ui/inline-error.tsx"

/** A warning only: the policy can still be activated. */
export function MissingDocuments({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <InlineError tone="warning">
      {names.length === 1 ? "A required document is missing" : "Required documents are missing"}: {names.join(", ")}.
      You can activate the policy without {names.length === 1 ? "it" : "them"}. Missing documents stay listed under
      Policy Documents.
    </InlineError>
  )
}
