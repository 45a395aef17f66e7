import { useMediaQuery } from "@mantine/hooks"

/** Whether the screen is as narrow as a phone's: tables are laid out as cards. */
export const usePhone = (): boolean => useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
