import { BlockList, isIPv6 } from "node:net"
import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { invalid } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"

export interface AddressRule {
  limitAddresses: boolean
  allowedAddresses: readonly string[]
}

const { limitAddresses, allowedAddresses } = usersSettings
const declared = { limitAddresses, allowedAddresses }

/** Maps an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** The caller's network address; null for calls in process. */
export const addressOf = (headers: Headers | undefined): string | null => headers?.get("x-client-address") ?? null

/** False behind a proxy that PUBLIC_URL does not describe, where all callers share the proxy's address. */
function isOfServerItself(headers: Headers | undefined): boolean {
  const address = addressOf(headers)
  if (address === null) return true
  return !headers?.has("x-forwarded-for") && loopback.check(plain(address), family(address))
}

const family = (address: string) => (isIPv6(plain(address)) ? "ipv6" : "ipv4")
const loopback = listOf(["127.0.0.0/8", "::1"])

const known = new Map<string, BlockList>()

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix] = network.split("/")
    if (prefix === undefined) list.addAddress(plain(address), family(address))
    else list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4")
  }
  return list
}

/** Parsed once and shared by all requests. */
function knownList(networks: readonly string[]): BlockList {
  const key = networks.join()
  const found = known.get(key)
  if (found) return found
  known.clear()
  const list = listOf(networks)
  known.set(key, list)
  return list
}

/** Whether a user with this role may sign in and work from the caller's address. Restricts staff only. */
export function mayComeFrom(headers: Headers | undefined, role: Role | null, rule: AddressRule): boolean {
  if (!rule.limitAddresses || role === null || groupRoles.includes(role) || isOfServerItself(headers)) return true
  const address = plain(addressOf(headers)!)
  return knownList(rule.allowedAddresses).check(address, family(address))
}

export const addressRule = (tx: Tx): Promise<AddressRule> => readSettings(tx, declared)

/** Refuses settings that would lock out the user who saves them. */
export function checkOwnAddress(headers: Headers | undefined, role: Role | null, rule: AddressRule): void {
  const wrong = (message: string) => invalid([{ path: "settings.allowedAddresses", message }])
  if (rule.limitAddresses && rule.allowedAddresses.length === 0) throw wrong("Enter at least one address or network")
  if (mayComeFrom(headers, role, rule)) return
  throw wrong(`Your address ${plain(addressOf(headers)!)} is not in this list. Add it, or you will be locked out`)
}
