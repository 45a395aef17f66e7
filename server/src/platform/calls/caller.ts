const ofServiceKeys = "service-key "

/** What tells a program with a service key from other callers, where their requests are counted. */
export const serviceKeyCaller = (hash: string): string => ofServiceKeys + hash

/** Whether a caller comes with a service key, which has limits of its own. */
export const hasServiceKey = (caller: string | null): boolean => caller?.startsWith(ofServiceKeys) ?? false
