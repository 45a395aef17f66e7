export function diffFields<F extends object>(
  before: F,
  after: F,
  fields: readonly (keyof F)[],
): { before: Partial<F>; after: Partial<F> } {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  const pick = (from: F) => Object.fromEntries(changed.map((field) => [field, from[field]])) as Partial<F>
  return { before: pick(before), after: pick(after) }
}
