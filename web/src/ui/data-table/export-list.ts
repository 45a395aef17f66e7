import type { ListSearch } from "../list-address.ts"
import { downloadOrSay } from "../use-download.ts"
import type { BulkAction } from "./types.ts"

/** Where a list is downloaded as CSV (the server's `exportList`), and what it is asked with. */
export interface ExportFrom<Search> {
  path: string
  /** The input of the list's contract; left out, the address parameters as they are. */
  input?: (search: Search) => object
}

/** All that is filtered, or some rows of it, in the order and the columns shown. */
export function exportHref<Search extends ListSearch>(
  { path, input }: ExportFrom<Search>,
  search: Search,
  columns: string[],
  ids?: string[],
): string {
  const asked = new URLSearchParams()
  const given = { ...(input?.(search) ?? search), columns: columns.join(","), ids: ids?.join(",") }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== "" && name !== "page" && name !== "pageSize") asked.set(name, String(value))
  }
  return `${path}?${asked}`
}

/** Downloads the selected rows. */
export function exportSelected<Search extends ListSearch>(
  from: ExportFrom<Search>,
  search: Search,
  columns: string[],
): BulkAction<Search> {
  return {
    label: "Export selected",
    everyMatch: true,
    run: async (selection) => {
      await downloadOrSay(
        "everyMatch" in selection
          ? exportHref(from, selection.everyMatch, columns)
          : exportHref(from, search, columns, selection.ids),
      )
      return false
    },
  }
}
