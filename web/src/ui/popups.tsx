import { lazyPopup } from "./lazy-popup.tsx"
import type { MenuActions } from "./menu-panel.tsx"
import type { PanelProps } from "./popover-panel.tsx"

/**
 * Actions behind a button; the code loads on first use.
 *
 *     <ActionMenu button={<Button variant="default">More</Button>} actions={[{ label: "Suspend", onClick }]} />
 */
export const ActionMenu = lazyPopup<MenuActions>(() => import("./menu-panel.tsx"))

/**
 * A small panel behind a button, loaded like a menu.
 *
 *     <PanelPopup button={<Button>Tier</Button>} position="bottom-start">{(close) => <Choices onPick={close} />}</PanelPopup>
 */
export const PanelPopup = lazyPopup<PanelProps>(() => import("./popover-panel.tsx"))
