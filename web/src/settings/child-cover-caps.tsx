import { type ChildCap, sortChildCaps } from "@milkwood/domain/benefits/child-cap"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { lazy } from "react"
import { useDisplay } from "../ui/display.tsx"
import { SettingList } from "./setting-list.tsx"

const ChildCoverCapDialog = lazy(() => import("./child-cover-cap-dialog.tsx"))

export function ChildCoverCaps() {
  const { currency, dayFormat } = useDisplay()
  const wordsOf = ({ amountCents, from }: ChildCap) =>
    `At most ${formatMoney(amountCents, currency)}${from ? ` for a death from ${formatDay(from, dayFormat)}` : ""}`
  return (
    <SettingList
      setting="childCoverCaps"
      title="Cover on a child's life"
      words="The most that all policies together pay on the death of a child, by age. No approval can exceed it. Your compliance officer confirms the amounts."
      failed="Failed to load the limits of cover on a child's life"
      noun="limit"
      add="Add limit"
      sort={sortChildCaps}
      describe={(cap) => ({ name: `Under ${cap.belowAge}`, words: wordsOf(cap) })}
      askToDelete={(cap) => ({
        title: `Delete the limit of a child under ${cap.belowAge}?`,
        body: `${wordsOf(cap)}. Undecided claims for a child's death are judged without it.`,
      })}
      dialog={({ item, ...props }) => <ChildCoverCapDialog {...(item && { cap: item })} {...props} />}
    />
  )
}
