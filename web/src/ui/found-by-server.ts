import type { SelectProps } from "@mantine/core"

/**
 * A `Select` whose choices the server finds: they are not filtered again, and Enter takes none that was there before.
 * Where the answer to what is typed is one alone, Enter takes it.
 *
 *     <Select {...foundByServer(typed === asked && !found.isPlaceholderData && choices.length === 1)} … />
 */
export const foundByServer = (isOnly: boolean): Partial<SelectProps> => ({
  searchable: true,
  selectFirstOptionOnChange: isOnly,
  selectFirstOptionOnDropdownOpen: false,
  filter: ({ options }) => options,
})
