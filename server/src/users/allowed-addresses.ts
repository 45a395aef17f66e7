import { BlockList, isIPv6 } from "node:net"
import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { invalidInput } from "../platform/calls/commands.ts"
import { settingValue } from "../platform/settings/store.ts"

export interface AddressRule {
  limitAddresses: boolean
  allowedAddresses: readonly string[]
}

/** The rule of stored settings. The addresses are parsed only if they are limited: most installations have no list. */
export const addressRuleOf = (stored: { limitAddresses: unknown; allowedAddresses: unknown }): AddressRule => ({
  limitAddresses: settingValue(usersSettings.limitAddresses, stored.limitAddresses),
  allowedAddresses: stored.limitAddresses ? settingValue(usersSettings.allowedAddresses, stored.allowedAddresses) : [],
})

/** Maps an IPv4-mapped IPv6 address to IPv4. */
const toPlainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** The caller's network address; null for calls in process. */
export const clientAddressOf = (headers: Headers | undefined): string | null => headers?.get("x-client-address") ?? null

/** False behind a proxy that PUBLIC_URL does not describe, where all callers share the proxy's address. */
function isServerRequest(headers: Headers | undefined): boolean {
  const address = clientAddressOf(headers)
  if (address === null) return true
  return !headers?.has("x-forwarded-for") && loopbackList.check(toPlainAddress(address), addressFamilyOf(address))
}

const addressFamilyOf = (address: string) => (isIPv6(toPlainAddress(address)) ? "ipv6" : "ipv4")
const loopbackList = createBlockList(["127.0.0.0/8", "::1"])

const blockListCache = new Map<string, BlockList>()

function createBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix] = network.split("/")
    if (prefix === undefined) list.addAddress(toPlainAddress(address), addressFamilyOf(address))
    else list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4")
  }
  return list
}

/** The parsed list of networks, which all requests share. */
function cachedBlockList(networks: readonly string[]): BlockList {
  const key = networks.join()
  const found = blockListCache.get(key)
  if (found) return found
  blockListCache.clear()
  const list = createBlockList(networks)
  blockListCache.set(key, list)
  return list
}

/** Whether a user with this role may sign in and work from the caller's address. Restricts staff only. */
export function isAddressAllowed(headers: Headers | undefined, role: Role | null, rule: AddressRule): boolean {
  if (!rule.limitAddresses || role === null || groupRoles.includes(role) || isServerRequest(headers)) return true
  const address = toPlainAddress(clientAddressOf(headers)!)
  return cachedBlockList(rule.allowedAddresses).check(address, addressFamilyOf(address))
}

/** Refuses settings that would lock out the user who saves them. */
export function checkOwnAddress(headers: Headers | undefined, role: Role | null, rule: AddressRule): void {
  const wrong = (message: string) => invalidInput([{ path: "settings.allowedAddresses", message }])
  if (rule.limitAddresses && rule.allowedAddresses.length === 0) throw wrong("Enter at least one address or network")
  if (isAddressAllowed(headers, role, rule)) return
  throw wrong(
    `Your address ${toPlainAddress(clientAddressOf(headers)!)} is not in this list. Add it, or you will be locked out`,
  )
}
