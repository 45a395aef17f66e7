const serviceKeyPrefix = "service-key "

export const serviceKeyCaller = (hash: string): string => serviceKeyPrefix + hash

export const isServiceKeyCaller = (caller: string | null): boolean => caller?.startsWith(serviceKeyPrefix) ?? false
