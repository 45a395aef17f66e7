import { Drawer } from "@mantine/core"
import { Sidebar } from "./sidebar.tsx"

/** The sidebar on a phone. */
export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Milkwood" size={280} padding="sm">
      <Sidebar rail={false} />
    </Drawer>
  )
}
