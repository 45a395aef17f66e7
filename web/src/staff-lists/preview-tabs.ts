import type { ListInput } from "@milkwood/domain/kernel/list"
import type { staffListRowsList } from "@milkwood/domain/staff-lists/staff-list-rows.list"

/** A separate file, because the route tree imports it and must stay small. */
export const previewTabs = ["all", "ready", "warning", "error", "joiner", "change", "unchanged", "leaver"] as const
export type PreviewTab = (typeof previewTabs)[number]
export type PreviewSearch = ListInput<typeof staffListRowsList> & { tab: PreviewTab }
