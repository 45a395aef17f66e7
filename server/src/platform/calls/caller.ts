const ofServiceKeys = "service-key "

export const serviceKeyCaller = (hash: string): string => ofServiceKeys + hash

export const hasServiceKey = (caller: string | null): boolean => caller?.startsWith(ofServiceKeys) ?? false
