import { Drawer } from "@mantine/core"
import { Sidebar } from "./sidebar.tsx"

export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Milkwood" size={280} padding="sm">
      <Sidebar rail={false} />
    </Drawer>
  )
}
