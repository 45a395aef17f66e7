import { ActionIcon, Button, Group, Text, TextInput } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { api, type Client } from "../../platform/api.ts"
import { errorTextOf } from "../../platform/errors.ts"
import { useConfirm } from "../confirm.tsx"
import { InlineError } from "../inline-error.tsx"
import type { PopupProps } from "../lazy-popup.tsx"
import type { ListSearch } from "../list-address.ts"
import PopoverPanel from "../popover-panel.tsx"
import { toast } from "../toast.tsx"
import { useCommand } from "../use-command.ts"
import classes from "./saved-views.module.css"

type SavedView = Awaited<ReturnType<Client["users"]["views"]["list"]>>[number]

export interface SavedViewsProps {
  list: string
  search: ListSearch
  columns: string[] | null
  onColumns: (columns: string[] | null) => void
}

export default function SavedViews({ button, opened, onChange, ...props }: SavedViewsProps & PopupProps) {
  const [name, setName] = useState("")
  return (
    <PopoverPanel button={button} opened={opened} onChange={onChange} position="bottom-end" width={280}>
      {(close) => <SavedViewsPanel {...props} name={name} onName={setName} onDone={close} />}
    </PopoverPanel>
  )
}

interface ViewsProps extends SavedViewsProps {
  /** Owned by the parent, so that a typed name survives closing the panel. */
  name: string
  onName: (name: string) => void
  onDone: () => void
}

function SavedViewsPanel({ list, search, columns, onColumns, name, onName, onDone }: ViewsProps) {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const input = { list }
  const views = useQuery(api.users.views.list.queryOptions({ input }))
  const save = useCommand(api.users.views.save, { success: "View saved" })
  const remove = useCommand(api.users.views.remove, {
    onSuccess: (_, { id }) => {
      const removed = views.data?.find((view) => view.id === id)
      const undo =
        removed && (() => save.mutate({ list, name: removed.name, address: removed.address, columns: removed.columns }))
      toast.success("View deleted", { undo })
    },
  })
  const { page: _page, ...address } = search

  const show = (view: SavedView) => {
    onColumns(view.columns)
    void navigate({ to: ".", search: view.address as never, resetScroll: false })
    onDone()
  }
  const keep = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === "" || save.isPending) return
    const view = { list, name, address: toStoredAddress(address), columns }
    const before = views.data?.find((other) => other.name.toLowerCase() === name.trim().toLowerCase())
    if (!before) return save.mutate(view, { onSuccess: () => onName("") })
    // Closes the popover first: a click in the dialog would count as a click outside it.
    onDone()
    void confirm({
      title: `Replace the view ${before.name}?`,
      body: "It is saved with the current search, filters, order and columns.",
      confirm: "Replace view",
      action: () => save.mutateAsync(view),
    }).then((replaced) => replaced && onName(""))
  }
  return (
    <div className={classes.views}>
      {views.isError && <InlineError>{errorTextOf(views.error)}</InlineError>}
      {views.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No saved views yet. A view stores the search, filters, order and columns of this list.
        </Text>
      )}
      {views.data && views.data.length > 0 && (
        <ul className={classes.list} aria-label="Saved views">
          {views.data.map((view) => (
            <li key={view.id} className={classes.view}>
              <button type="button" className={classes.show} onClick={() => show(view)}>
                {view.name}
              </button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label={`Delete view ${view.name}`}
                loading={remove.isPending && remove.variables.id === view.id}
                onClick={() => remove.mutate({ id: view.id })}
              >
                <IconTrash size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={keep}>
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            label="Save this view as"
            size="xs"
            maxLength={60}
            flex={1}
            data-autofocus
            value={name}
            onChange={(event) => onName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" disabled={name.trim() === ""} loading={save.isPending}>
            Save
          </Button>
        </Group>
        {save.error && <InlineError mt="xs">{errorTextOf(save.error)}</InlineError>}
      </form>
    </div>
  )
}

function toStoredAddress(address: object): SavedView["address"] {
  return Object.fromEntries(
    Object.entries(address).filter(
      ([, value]) => ["string", "number", "boolean"].includes(typeof value) && value !== "",
    ),
  )
}
