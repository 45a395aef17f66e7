import type { SelectProps } from "@mantine/core"

/**
 * A `Select` with server-side search: results are not filtered again, and Enter never takes a stale choice. Enter takes
 * a single result.
 *
 *     <Select {...foundByServer(typed === asked && !found.isPlaceholderData && choices.length === 1)} … />
 */
export const serverSearchProps = (isOnly: boolean): Partial<SelectProps> => ({
  searchable: true,
  selectFirstOptionOnChange: isOnly,
  selectFirstOptionOnDropdownOpen: false,
  filter: ({ options }) => options,
})
