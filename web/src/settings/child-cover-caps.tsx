import { Button } from "@mantine/core"
import { type ChildCap, sortChildCaps } from "@milkwood/domain/benefits/child-cap"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { useDisplay } from "../ui/display.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { settingsQuery, useSettingsCommands } from "./settings.api.ts"

const ChildCoverCapDialog = lazy(() => import("./child-cover-cap-dialog.tsx"))

/** The limits are one setting; each change saves the whole list. */
export function ChildCoverCaps() {
  const detail = useQuery(settingsQuery())
  const { currency, dayFormat } = useDisplay()
  const [edited, setEdited] = useState<number | "new">()
  const { save } = useSettingsCommands()
  const confirm = useConfirm()
  const caps = detail.data?.settings.childCoverCaps ?? []
  const saveCaps = async (next: ChildCap[]) => {
    if (!detail.data) throw new Error("the settings are still loading")
    const { version, settings } = detail.data
    return save.mutateAsync({ version, settings: { ...settings, childCoverCaps: sortChildCaps(next) } })
  }
  const nameOf = ({ belowAge }: ChildCap) => `Under ${belowAge}`
  const wordsOf = ({ amountCents, from }: ChildCap) =>
    `At most ${formatMoney(amountCents, currency)}${from ? ` for a death from ${formatDay(from, dayFormat)}` : ""}`
  const askToDelete = (at: number) =>
    confirm({
      title: `Delete the limit of a child under ${caps[at]!.belowAge}?`,
      body: `${wordsOf(caps[at]!)}. Undecided claims for a child's death are judged without it.`,
      confirm: "Delete limit",
      danger: true,
      action: () => saveCaps(caps.filter((_, other) => other !== at)),
    })
  return (
    <SettingsSection
      title="Cover on a child's life"
      words="The most that all policies together pay on the death of a child, by age. No approval can exceed it. Your compliance officer confirms the amounts."
      query={detail}
      failed="Failed to load the limits of cover on a child's life"
    >
      <SettingsList label="Cover on a child's life">
        {caps.map((cap, at) => (
          <SettingsLine key={`${cap.belowAge} ${cap.from}`} what={nameOf(cap)} words={wordsOf(cap)}>
            <RowMenu
              label={`Actions for ${nameOf(cap)}, ${wordsOf(cap)}`}
              actions={() => [
                { label: "Edit limit", onClick: () => setEdited(at) },
                { label: "Delete limit", danger: true, onClick: () => void askToDelete(at) },
              ]}
            />
          </SettingsLine>
        ))}
      </SettingsList>
      <Button variant="default" mt="sm" disabled={!detail.data} onClick={() => setEdited("new")}>
        Add limit
      </Button>
      {edited !== undefined && (
        <Suspense>
          <ChildCoverCapDialog
            {...(edited !== "new" && { cap: caps[edited]! })}
            others={caps.filter((_, at) => at !== edited)}
            onSave={(cap) =>
              saveCaps(edited === "new" ? [...caps, cap] : caps.map((old, at) => (at === edited ? cap : old)))
            }
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </SettingsSection>
  )
}
