import { useRouter } from "@tanstack/react-router"
import { useMemo } from "react"
import { useSession } from "../platform/session.ts"
import { type NavigationEntry, navigation } from "./navigation.ts"

export function useNavigation(): NavigationEntry[] {
  const router = useRouter()
  const { can } = useSession()
  return useMemo(() => {
    const built: object = router.routesByPath
    return navigation.filter((entry) => entry.path in built && can(entry.permission))
  }, [router, can])
}
