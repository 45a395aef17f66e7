import type { SelectProps } from "@mantine/core"

/**
 * Props of a `Select` with server-side search: it does not filter in the browser, and Enter picks a result only if it is
 * current and the only one.
 *
 *     <Select {...serverSearchProps(typed === asked && !found.isPlaceholderData && choices.length === 1)} … />
 */
export const serverSearchProps = (isOnly: boolean): Partial<SelectProps> => ({
  searchable: true,
  selectFirstOptionOnChange: isOnly,
  selectFirstOptionOnDropdownOpen: false,
  filter: ({ options }) => options,
})
