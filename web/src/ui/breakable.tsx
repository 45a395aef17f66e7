import type { ReactNode } from "react"

/** An e-mail address that, where it does not fit, breaks before its @ first. */
export function breakable(value: ReactNode): ReactNode {
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
