const browserPatterns: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]

const systemPatterns: readonly [RegExp, string][] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "a Mac"],
  [/\bLinux\b/, "Linux"],
]

/** A readable device name from the user agent: "Chrome on Windows". */
export function deviceName(userAgent: string | null): string {
  const named = (among: readonly [RegExp, string][]) =>
    among.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1]
  const [browser, system] = [named(browserPatterns), named(systemPatterns)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (system ? `A program on ${system}` : "An unknown device")
}

/** A readable program name from the user agent: "A program (python-requests)". */
export function programName(userAgent: string | null): string {
  const name = /^[\w.-]{1,40}/.exec(userAgent ?? "")?.[0]
  return name ? `A program (${name})` : "A program"
}
