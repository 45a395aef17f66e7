const emailPattern = /^[A-Za-z0-9_'+\-.]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,63}$/

/** One @, no spaces, a domain with a dot, at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text) && !/^\.|\.\.|\.@/.test(text)
}
