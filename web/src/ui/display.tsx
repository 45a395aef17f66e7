import type { Day, DayFormat } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { defaultMaxMegabytes, type FileType, fileTypes } from "@milkwood/domain/platform/documents"
import { createContext, type ReactNode, useContext } from "react"

export interface Display {
  dayFormat: DayFormat
  currency: Currency
  /** An IANA name, "Africa/Johannesburg". */
  timezone: string
  /** Today in that time zone, by the server's clock. */
  today: Day
  hasBankAccount: boolean
  files?: { megabytes: number; types: readonly FileType[] }
}

const DisplayContext = createContext<Display | undefined>(undefined)

export function DisplayProvider({ value, children }: { value: Display; children: ReactNode }) {
  return <DisplayContext value={value}>{children}</DisplayContext>
}

const fallback: Display = {
  dayFormat: "YYYY-MM-DD",
  currency: "ZAR",
  timezone: "Africa/Johannesburg",
  today: "",
  hasBankAccount: true,
}

export const useAllowedFiles = () => useDisplay().files ?? { megabytes: defaultMaxMegabytes, types: fileTypes }

export function useDisplay(): Display {
  return useContext(DisplayContext) ?? fallback
}
