import type { ListSearch } from "../ui/list-address.ts"

/** The views of a preview. Apart from the table, so that the address book stays small. */
export const previewTabs = ["all", "ready", "warning", "error", "joiner", "change", "unchanged", "leaver"] as const
export type PreviewTab = (typeof previewTabs)[number]
export type PreviewSearch = ListSearch & { sort: "row"; tab: PreviewTab }
