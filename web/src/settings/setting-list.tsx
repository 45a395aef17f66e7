import { Button } from "@mantine/core"
import type { Settings } from "@milkwood/domain/settings/settings"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, Suspense, useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { settingsQuery, useSettingsCommands } from "./settings.api.ts"

type ListKey = "requiredDocuments" | "childCoverCaps"
type Item<Key extends ListKey> = Settings[Key][number]

interface ItemDialog<T> {
  /** Absent for a new item. */
  item?: T
  others: readonly T[]
  onSave: (item: T) => Promise<unknown>
  onClose: () => void
}

interface SettingListProps<Key extends ListKey> {
  setting: Key
  title: string
  words: string
  failed: string
  /** As in "Edit requirement". */
  noun: string
  add: string
  sort: (items: Item<Key>[]) => Item<Key>[]
  describe: (item: Item<Key>) => { name: string; words: string }
  /** Title and text of the question before an item is deleted. */
  askToDelete: (item: Item<Key>) => { title: string; body: string }
  dialog: (props: ItemDialog<Item<Key>>) => ReactNode
}

/** A setting that is a list. Each change saves the whole list. */
export function SettingList<Key extends ListKey>(props: SettingListProps<Key>) {
  const { setting, title, words, failed, noun, describe } = props
  const detail = useQuery(settingsQuery())
  const [edited, setEdited] = useState<number | "new">()
  const { save } = useSettingsCommands()
  const confirm = useConfirm()
  const items = (detail.data?.settings[setting] ?? []) as Item<Key>[]
  const saveItems = async (next: Item<Key>[]) => {
    if (!detail.data) throw new Error("the settings are still loading")
    const { version, settings } = detail.data
    return save.mutateAsync({ version, settings: { ...settings, [setting]: props.sort(next) } })
  }
  const askToDelete = (at: number) =>
    confirm({
      ...props.askToDelete(items[at]!),
      confirm: `Delete ${noun}`,
      danger: true,
      action: () => saveItems(items.filter((_, other) => other !== at)),
    })
  return (
    <SettingsSection title={title} words={words} query={detail} failed={failed}>
      <SettingsList label={title}>
        {items.map((item, at) => {
          const { name, words } = describe(item)
          return (
            <SettingsLine key={`${words} ${name}`} what={name} words={words}>
              <RowMenu
                label={`Actions for ${name}, ${words}`}
                actions={() => [
                  { label: `Edit ${noun}`, onClick: () => setEdited(at) },
                  { label: `Delete ${noun}`, danger: true, onClick: () => void askToDelete(at) },
                ]}
              />
            </SettingsLine>
          )
        })}
      </SettingsList>
      <Button variant="default" mt="sm" disabled={!detail.data} onClick={() => setEdited("new")}>
        {props.add}
      </Button>
      {edited !== undefined && (
        <Suspense>
          {props.dialog({
            ...(edited !== "new" && { item: items[edited]! }),
            others: items.filter((_, at) => at !== edited),
            onSave: (item) =>
              saveItems(edited === "new" ? [...items, item] : items.map((old, at) => (at === edited ? item : old))),
            onClose: () => setEdited(undefined),
          })}
        </Suspense>
      )}
    </SettingsSection>
  )
}
