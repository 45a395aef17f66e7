import { Fragment, type ReactNode } from "react"
import { DayText } from "./day.tsx"

/**
 * Keeps days, document numbers and negative amounts on one line, and shows days in the format of the settings: "Covered
 * since 2026-06-01, INV-2026-000041: -R 540,00."
 */
export function keepNumbersUnbroken(value: ReactNode): ReactNode {
  if (typeof value !== "string") return value
  const pieces = value.split(/(-[R$€]\u00a0[\d\u00a0]+,\d\d|\S*\d-\d\S*)/)
  return pieces.map((piece, at) => {
    if (at % 2 === 0) return piece
    const key = pieces.slice(0, at).join("").length
    const [, day, rest] = /^(\d{4}-\d{2}-\d{2})(?!\d)(.*)$/.exec(piece) ?? []
    return day ? (
      <Fragment key={key}>
        <DayText day={day} />
        {rest}
      </Fragment>
    ) : (
      <span key={key} style={{ whiteSpace: "nowrap" }}>
        {piece}
      </span>
    )
  })
}

/** For user-written text: numbers do not break at their hyphens if they fit on a line of a phone. */
export function withUnbrokenNumbers(text: string): ReactNode {
  return text.split(/(\S*\d-\d\S*)/).map((piece, at, pieces) =>
    at % 2 === 0 || piece.length > 24 ? (
      piece
    ) : (
      <span key={pieces.slice(0, at).join("").length} style={{ whiteSpace: "nowrap" }}>
        {piece}
      </span>
    ),
  )
}

export function allowBreaks(value: ReactNode): ReactNode {
  if (typeof value !== "string" || !/^\S+@\S+$/.test(value)) return value
  const at = value.lastIndexOf("@")
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
  )
}
