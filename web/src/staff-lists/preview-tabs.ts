import type { ListInput } from "@milkwood/domain/kernel/list"
import type { staffListRowsList } from "@milkwood/domain/staff-lists/staff-list-rows.list"

/** The views of a preview. Apart from the table, so that the address book stays small. */
export const previewTabs = ["all", "ready", "warning", "error", "joiner", "change", "unchanged", "leaver"] as const
export type PreviewTab = (typeof previewTabs)[number]
export type PreviewSearch = ListInput<typeof staffListRowsList> & { tab: PreviewTab }
