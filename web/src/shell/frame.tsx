import { useDisclosure, useMediaQuery } from "@mantine/hooks"
import { useNavigate, useRouterState } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { useRestoredFocus } from "../platform/focus.ts"
import { startBufferingKeys, takeBufferedKeys, useEscape, useKeys } from "../platform/keyboard.ts"
import { usePhone } from "../ui/use-phone.ts"
import { ConnectionBanner } from "./connection-banner.tsx"
import classes from "./frame.module.css"
import { Sidebar } from "./sidebar.tsx"
import { TopBar } from "./top-bar.tsx"
import { useNavigation } from "./use-navigation.ts"

const MenuDrawer = lazy(() => import("./menu-drawer.tsx"))
const loadPalette = () => import("./palette.tsx")
const Palette = lazy(loadPalette)
const KeyMap = lazy(() => import("./key-map.tsx"))

/** The sidebar shrinks to icons below 1280 px and is a drawer on phones. */
export function Frame({ children }: { children: ReactNode }) {
  const phone = usePhone()
  const rail = useMediaQuery("(max-width: 79.99em)", false, { getInitialValueInEffect: false })
  const [drawer, { open: openDrawer, close: closeDrawer }] = useDisclosure()
  const [palette, setPalette] = useState<"never" | "open" | "closed">("never")
  const [keyMap, setKeyMap] = useState<"never" | "open" | "closed">("never")
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => {
    if (pathname) closeDrawer()
  }, [pathname, closeDrawer])
  useRestoredFocus()
  useFocusOnPage()
  const openPalette = () => {
    // Captures keys until the search field is ready, so that they do not act as shortcuts.
    if (palette !== "open") startBufferingKeys()
    setPalette("open")
  }
  const closePalette = () => {
    takeBufferedKeys()
    setPalette("closed")
  }
  useEscape(closePalette, palette === "open")
  useKeys({ "mod+k": openPalette, "?": () => setKeyMap("open") })
  usePreloadedPalette()
  useGoKeys()
  return (
    <div className={classes.frame} data-layout={phone ? "phone" : rail ? "rail" : "wide"}>
      <TopBar onMenu={phone ? openDrawer : undefined} onSearch={openPalette} onKeyMap={() => setKeyMap("open")} />
      {phone ? (
        <Suspense>
          <MenuDrawer opened={drawer} onClose={closeDrawer} />
        </Suspense>
      ) : (
        <div className={classes.side}>
          <Sidebar rail={rail} />
        </div>
      )}
      <div className={classes.content}>
        <ConnectionBanner />
        <main id="page" tabIndex={-1} className={classes.page}>
          {children}
        </main>
      </div>
      <Suspense>
        {palette !== "never" && (
          <Palette opened={palette === "open"} onClose={closePalette} onKeyMap={() => setKeyMap("open")} />
        )}
        {keyMap !== "never" && <KeyMap opened={keyMap === "open"} onClose={() => setKeyMap("closed")} />}
      </Suspense>
    </div>
  )
}

/** Moves focus to the new page if the clicked link has disappeared. */
function useFocusOnPage() {
  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    if (shown && document.activeElement === document.body) {
      document.getElementById("page")?.focus({ preventScroll: true })
    }
  }, [shown])
}

/** Holding Ctrl or ⌘ preloads the palette, which is not part of the first page load. */
function usePreloadedPalette() {
  useEffect(() => {
    const preload = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") void loadPalette()
    }
    window.addEventListener("keydown", preload, { passive: true })
    return () => window.removeEventListener("keydown", preload)
  }, [])
}

function useGoKeys() {
  const entries = useNavigation()
  const navigate = useNavigate()
  useKeys(
    Object.fromEntries(
      entries.flatMap(({ key, path }) => (key ? [[`g ${key}`, () => void navigate({ to: path })]] : [])),
    ),
  )
}
