import { ActionIcon } from "@mantine/core"
import { IconBookmark } from "@tabler/icons-react"
import { lazyPopup } from "../lazy-popup.tsx"
import type { SavedViewsProps } from "./saved-views.tsx"

const SavedViews = lazyPopup<SavedViewsProps>(() => import("./saved-views.tsx"))

export function SavedViewsButton(props: SavedViewsProps) {
  const button = (
    <ActionIcon variant="default" size={30} aria-label="Saved views" title="Saved views" aria-haspopup="dialog">
      <IconBookmark size={16} />
    </ActionIcon>
  )
  return <SavedViews {...props} button={button} />
}
