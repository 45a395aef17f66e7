import type { Day, DayFormat } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { type FileType, fileTypes, usualMegabytes } from "@milkwood/domain/platform/documents"
import { createContext, type ReactNode, useContext } from "react"

/** How the organisation wants days, times and amounts shown, which day it is there, and what files it takes. */
export interface Display {
  dayFormat: DayFormat
  /** Of all money. */
  currency: Currency
  /** An IANA name, "Africa/Johannesburg". */
  timezone: string
  /** Today in that timezone, by the server's clock. */
  today: Day
  /** Whether invoices can name a bank account to pay into. */
  hasBankAccount: boolean
  /** What an upload takes by the settings; the server has the last word. */
  files?: { megabytes: number; types: readonly FileType[] }
}

const DisplayContext = createContext<Display | undefined>(undefined)

/** Set once by the frame from the session. */
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

/** What an upload of documents or of a list takes. */
export const useAllowedFiles = () => useDisplay().files ?? { megabytes: usualMegabytes, types: fileTypes }

/** The organisation's way of showing days and times. */
export function useDisplay(): Display {
  return useContext(DisplayContext) ?? fallback
}
