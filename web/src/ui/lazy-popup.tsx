import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react"

type ButtonElement = ReactElement<ComponentProps<"button">>

export interface PopupProps {
  button: ButtonElement
  opened: boolean
  onChange: (opened: boolean) => void
}

/**
 * Loads the popup's code on hover, focus or press of its button, so that the first page does not include it.
 *
 *     const MorePopup = lazyPopup(() => import("./menu-panel.tsx"))
 *     <MorePopup button={<Button>More</Button>} actions={actions} />
 */
export function lazyPopup<Own extends object>(load: () => Promise<{ default: ComponentType<Own & PopupProps> }>) {
  const Popup = lazy(load) as unknown as ComponentType<Own & PopupProps>
  return function LazyPopup(props: Own & Pick<PopupProps, "button">) {
    const { button } = props
    const [wanted, setWanted] = useState(false)
    const [opened, setOpened] = useState(false)
    if (!wanted) {
      const preload = () => void load()
      return cloneElement(button, { onMouseEnter: preload, onFocus: preload, onClick: () => setWanted(true) })
    }
    return (
      <Suspense fallback={button}>
        <Popup {...props} opened={opened} onChange={setOpened} />
        <ReadyMarker onReady={() => setOpened(true)} />
      </Suspense>
    )
  }
}

/** Opens the popup once its code has loaded, and restores the focus first. */
function ReadyMarker({ onReady }: { onReady: () => void }) {
  const ready = useRef(onReady)
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const button = place.current?.previousElementSibling
    if (button instanceof HTMLElement) button.focus()
    ready.current()
  }, [])
  return <span ref={place} hidden />
}
