import { lookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

/** A loopback, internal or reserved address. */
export class AddressRefused extends Error {
  constructor(address: string) {
    super(`The address resolves to ${address}, which is not a public internet address.`)
    this.name = "AddressRefused"
  }
}

const publicIpv6Range = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * True for public addresses and configured networks. Tunnel and translation prefixes (6to4, Teredo, NAT64) are refused,
 * because they can embed an internal address.
 */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  const isNamed = networks.some((network) => {
    const [base, prefix] = ipaddr.parseCIDR(network)
    return base.kind() === plain.kind() && plain.match(base, prefix)
  })
  if (isNamed) return true
  if (plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6Range)) return false
  return plain.range() === "unicast"
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

/** Checks the text only; DNS is checked on connecting. Null if valid. */
export function findAddressProblem(text: string, networks: readonly string[]): string | null {
  if (!URL.canParse(text)) return "Enter an address like https://payroll.example/milkwood"
  const url = new URL(text)
  const host = hostOf(url)
  const isOwn = host === "localhost" || host.endsWith(".localhost") || (isIP(host) > 0 && isLoopback(host))
  const mayReachItself = isAllowedAddress(isIP(host) ? host : "127.0.0.1", networks)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isOwn && mayReachItself))
    return "The address must begin with https://"
  if (url.username || url.password) return "The address must not contain a user name or password"
  if (url.hash) return "The address must not have a part after #"
  if (isOwn ? !mayReachItself : isIP(host) > 0 && !isAllowedAddress(host, networks))
    return "Enter a public internet address, not one of this server or its internal network"
  return null
}

const isLoopback = (host: string): boolean => ipaddr.process(host).range() === "loopback"

/**
 * Resolves a name and refuses it if any address is forbidden. Connects to the checked address, which prevents DNS
 * rebinding.
 */
export const createGuardedLookup =
  (networks: readonly string[], resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "")
      const wrong = found.find(({ address }) => !isAllowedAddress(address, networks))
      if (wrong) return callback(new AddressRefused(wrong.address), "")
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first!.address, first!.family)
    })
  }
