import type { Day, DayFormat } from "@milkwood/domain/kernel/calendar"
import { createContext, type ReactNode, useContext } from "react"

/** How the organisation wants days and times shown, and which day it is there. */
export interface Display {
  dayFormat: DayFormat
  /** An IANA name, "Africa/Johannesburg". */
  timezone: string
  /** Today in that timezone, by the server's clock. */
  today: Day
}

const DisplayContext = createContext<Display | undefined>(undefined)

/** Set once by the frame from the session. */
export function DisplayProvider({ value, children }: { value: Display; children: ReactNode }) {
  return <DisplayContext value={value}>{children}</DisplayContext>
}

const fallback: Display = { dayFormat: "YYYY-MM-DD", timezone: "Africa/Johannesburg", today: "" }

/** The organisation's way of showing days and times. */
export function useDisplay(): Display {
  return useContext(DisplayContext) ?? fallback
}
