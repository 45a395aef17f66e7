import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { routerOptions } from "./routes.config.ts"

/** Where the server of `npm run dev` listens; the screens' own server passes calls on to it. */
const server = process.env.MILKWOOD_SERVER ?? "http://127.0.0.1:3000"

/** The PDF reader's decoders of scanned pages in plain JavaScript, which it fetches by name from /pdf/ when needed. */
function pdfDecoders(): Plugin {
  const folder = createRequire(import.meta.url)
    .resolve("pdfjs-dist/package.json")
    .replace("package.json", "wasm/")
  return {
    name: "pdf-decoders",
    apply: "build",
    generateBundle() {
      for (const name of ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"]) {
        this.emitFile({ type: "asset", fileName: `pdf/${name}`, source: readFileSync(folder + name) })
      }
    },
  }
}

export default defineConfig({
  plugins: [tanstackRouter(routerOptions), react(), pdfDecoders()],
  build: {
    target: "es2022",
    // The content security policy allows no inline scripts and no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes seldom is kept by browsers from one release to the next.
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: "vendor", test: /node_modules[\\/](@orpc|@tanstack|use-sync-external-store)[\\/]/ },
            // What stands round every page: in one piece it is smaller than in many.
            {
              name: "frame",
              includeDependenciesRecursively: false,
              test: /src[\\/]shell[\\/](session|live|cover|app|frame|sidebar|navigation|use-navigation|keys|jobs-menu)\.tsx?(\?|$)/,
            },
            // Every route's address and permission in one file; its page (`?tsr-split`) is a chunk of its own.
            { name: "routes", test: /src[\\/](routeTree\.gen\.ts|[a-z-]+[\\/]pages[\\/][^?]+\.tsx)$/ },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { "/rpc": server, "/api": server },
  },
})
