const emailPattern = /^[A-Za-z0-9_'+\-.]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,63}$/

const maxRecipients = 20

/** The addresses of a recipient line, which are separated by commas or semicolons. */
export const addressesIn = (line: string): string[] =>
  line
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== "")

/** One to 20 addresses. */
export function isRecipientLine(line: string): boolean {
  const addresses = addressesIn(line)
  return addresses.length > 0 && addresses.length <= maxRecipients && addresses.every(isEmail)
}

/** One @, no spaces, a domain with a dot, at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text) && !/^\.|\.\.|\.@/.test(text)
}
