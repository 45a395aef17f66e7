import type { ListSearch } from "../list-address.ts"
import { downloadWithToast } from "../use-download.ts"
import type { BulkAction, ExportSource } from "./types.ts"

const exportFormats = [
  { format: "csv", label: "CSV" },
  { format: "xlsx", label: "Excel" },
] as const
const pdf = { format: "pdf", label: "PDF" } as const
export type ExportFormat = (typeof exportFormats | (typeof pdf)[])[number]["format"]

export const exportFormatsOf = ({ isPaper }: Pick<ExportSource<never>, "isPaper">) =>
  isPaper ? [...exportFormats, pdf] : exportFormats

/** Paging parameters do not affect an export. */
const paginationKeys = ["page", "pageSize", "after", "before"]

export function exportHref<Search extends ListSearch>(
  { path, input }: ExportSource<Search>,
  search: Search,
  columns: string[],
  format: ExportFormat,
  ids?: string[],
): string {
  const asked = new URLSearchParams()
  const given = { ...(input?.(search) ?? search), columns: columns.join(","), ids: ids?.join(",") }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== "" && !paginationKeys.includes(name)) asked.set(name, String(value))
  }
  return `${path}.${format}?${asked}`
}

export function exportActionsOf<Search extends ListSearch>(
  from: ExportSource<Search>,
  search: Search,
  columns: string[],
): BulkAction<Search>[] {
  return exportFormatsOf(from).map(({ format, label }) => ({
    label: `Export ${label}`,
    everyMatch: true,
    run: async (selection) => {
      await downloadWithToast(
        "everyMatch" in selection
          ? exportHref(from, selection.everyMatch, columns, format)
          : exportHref(from, search, columns, format, selection.ids),
      )
      return false
    },
  }))
}
