import "./runtime/module-loading.ts"

const { runServer } = await import("./runtime/run.ts")

await runServer()
