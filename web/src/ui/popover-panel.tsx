import { Popover, type PopoverProps } from "@mantine/core"
import { cloneElement, type ReactNode } from "react"
import type { PopupProps } from "./lazy-popup.tsx"

export type PanelProps = Pick<PopoverProps, "position" | "width"> & {
  tight?: boolean
  children: (close: () => void) => ReactNode
}

export default function PopoverPanel({ button, opened, onChange, children, tight, ...place }: PanelProps & PopupProps) {
  return (
    <Popover {...place} shadow="md" trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{cloneElement(button, { onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown p={tight ? 4 : undefined}>{children(() => onChange(false))}</Popover.Dropdown>
    </Popover>
  )
}
