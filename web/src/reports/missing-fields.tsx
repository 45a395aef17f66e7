import { InlineError } from "../ui/inline-error.tsx"

const readableFieldName = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Lists the removed fields of a saved report.
 *
 *     <MissingFields report={report} />
 */
export function MissingFields({ report }: { report: { missing: string[]; missingFilters: string[] } }) {
  const { missing, missingFilters } = report
  if (missing.length + missingFilters.length === 0) return null
  const named = (names: string[]) => names.map(readableFieldName).join(", ")
  return (
    <InlineError tone="warning">
      {missing.length > 0 && `Left out because no longer available: ${named(missing)}. `}
      {missingFilters.length > 0 &&
        `It was filtered by ${named(missingFilters)}, which is no longer available, so it may have more rows than intended. `}
      Save it again to keep the rest.
    </InlineError>
  )
}
