import { lookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

/** An address that webhooks may not reach: of this machine, of the inner network, or of nobody. */
export class AddressRefused extends Error {
  constructor(address: string) {
    super(`It leads to ${address}, which is not an address of the internet.`)
    this.name = "AddressRefused"
  }
}

const inInternet = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an IP address is one of the internet, or lies in a network that whoever runs the server named. The insides of
 * tunnels and translations (6to4, Teredo, NAT64) are none: they lead wherever the address in them says.
 */
export function mayReach(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  const isNamed = networks.some((network) => {
    const [base, prefix] = ipaddr.parseCIDR(network)
    return base.kind() === plain.kind() && plain.match(base, prefix)
  })
  if (isNamed) return true
  if (plain instanceof ipaddr.IPv6 && !plain.match(inInternet)) return false
  return plain.range() === "unicast"
}

/** The host of an address without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

/** What is wrong with an address that is to be sent to; null where nothing is. What its name leads to is looked at when it is connected to. */
export function addressProblem(text: string, networks: readonly string[]): string | null {
  if (!URL.canParse(text)) return "This is not an address. Write it like https://payroll.example/milkwood"
  const url = new URL(text)
  const host = hostOf(url)
  const isOwn = host === "localhost" || host.endsWith(".localhost") || (isIP(host) > 0 && isLoopback(host))
  const mayReachItself = mayReach(isIP(host) ? host : "127.0.0.1", networks)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isOwn && mayReachItself))
    return "The address must begin with https://"
  if (url.username || url.password) return "The address must not hold a name or a password"
  if (url.hash) return "The address must not have a part after #"
  if (isOwn ? !mayReachItself : isIP(host) > 0 && !mayReach(host, networks))
    return "Webhooks reach addresses of the internet alone, not of this machine or the inner network"
  return null
}

const isLoopback = (host: string): boolean => ipaddr.process(host).range() === "loopback"

/**
 * Looks a name up for a connection, and refuses it where any of its addresses may not be reached: what is connected to is
 * what was looked at, whatever the name says a moment later.
 */
export const guardedLookup =
  (networks: readonly string[], resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "")
      const wrong = found.find(({ address }) => !mayReach(address, networks))
      if (wrong) return callback(new AddressRefused(wrong.address), "")
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first!.address, first!.family)
    })
  }
