import { type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"

/**
 * A tab or step in a page's address; the first value is the default:
 *
 *     export const Route = createFileRoute("/_app/claims/$claimId/")({
 *       ...addressChoice("tab", ["details", "documents", "activity"]),
 *       component: ClaimPage,
 *     })
 *     const { tab } = Route.useSearch()
 */
export function addressChoice<const Name extends string, const Value extends string>(
  name: Name,
  values: readonly Value[],
) {
  type Choice = Record<Name, Value>
  const start = { [name]: values[0] } as Choice
  return {
    validateSearch: (raw: Partial<Choice> & SearchSchemaInput): Choice => {
      const given = (raw as Record<string, unknown>)[name]
      return values.includes(given as Value) ? ({ [name]: given } as Choice) : start
    },
    search: { middlewares: [stripSearchParams<Choice>(start as never)] },
  }
}
