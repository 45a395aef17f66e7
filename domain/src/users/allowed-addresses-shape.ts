import { z } from "zod"

/** An address, or a network in CIDR notation: 41.13.0.5, 196.25.0.0/16, 2001:db8::/32. */
export const addressOrNetwork = z
  .string()
  .trim()
  .max(50, "Use at most 50 characters for each address or network")
  .refine(
    (text) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((kind) => kind.safeParse(text).success),
    "Enter an address such as 41.13.0.5, or a network such as 196.25.0.0/16 or 2001:db8::/32",
  )
