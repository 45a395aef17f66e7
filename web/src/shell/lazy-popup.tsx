import { type ComponentProps, type ComponentType, lazy, Suspense, useEffect, useRef, useState } from "react"

/** What a button and its popup are to each other: the popup draws the button as its target. */
export interface PopupProps {
  button: ComponentType<ComponentProps<"button">>
  opened: boolean
  onChange: (opened: boolean) => void
}

/**
 * A popup whose code is loaded when its button is first wanted: pointed at, reached with the keyboard, or pressed.
 * Until then only the button is there, so that the first page does not carry it.
 */
export function lazyPopup(load: () => Promise<{ default: ComponentType<PopupProps> }>) {
  const Popup = lazy(load)
  return function LazyPopup({ button: Button }: Pick<PopupProps, "button">) {
    const [wanted, setWanted] = useState(false)
    const [opened, setOpened] = useState(false)
    if (!wanted) {
      const preload = () => void load()
      return <Button onMouseEnter={preload} onFocus={preload} onClick={() => setWanted(true)} />
    }
    return (
      <Suspense fallback={<Button />}>
        <Popup button={Button} opened={opened} onChange={setOpened} />
        <Opener onReady={() => setOpened(true)} />
      </Suspense>
    )
  }
}

/** Opens the popup as soon as its code is there; the focus goes back to where it was first. */
function Opener({ onReady }: { onReady: () => void }) {
  const ready = useRef(onReady)
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const button = place.current?.previousElementSibling
    if (button instanceof HTMLElement) button.focus()
    ready.current()
  }, [])
  return <span ref={place} hidden />
}
