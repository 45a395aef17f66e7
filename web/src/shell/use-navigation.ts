import { useRouter } from "@tanstack/react-router"
import { useMemo } from "react"
import { useSession } from "../platform/session.ts"
import { type NavigationEntry, navigation } from "./navigation.ts"

/** The entries that are built and that this person may open. */
export function useNavigation(): NavigationEntry[] {
  const router = useRouter()
  const { can } = useSession()
  return useMemo(() => {
    const built: object = router.routesByPath
    return navigation.filter((entry) => entry.path in built && can(entry.permission))
  }, [router, can])
}
