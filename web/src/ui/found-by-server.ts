import type { SelectProps } from "@mantine/core"

/** A `Select` whose choices the server finds: they are not filtered again, and Enter takes none that was there before. */
export const foundByServer: Partial<SelectProps> = {
  searchable: true,
  selectFirstOptionOnChange: false,
  selectFirstOptionOnDropdownOpen: false,
  filter: ({ options }) => options,
}
