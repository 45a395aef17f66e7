import fc from "fast-check"

/** One seed per run, printed to reproduce a failure: `FC_SEED=123 npx vitest run domain`. */
export const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 0x7fffffff))
console.info(`fast-check seed ${seed}`)
fc.configureGlobal({ seed, numRuns: 500 })

export { fc }
