import { readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { routerOptions } from "./routes.config.ts"

const server = process.env.MILKWOOD_SERVER ?? "http://127.0.0.1:3000"

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

function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|mjs|css|html|json|svg)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name)
          const content = await readFile(path)
          if (content.length < 1024) return
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}

const frame = [
  ...["core", "ActionIcon", "Button", "Center", "Group", "Kbd", "Loader", "Portal", "Stack", "Text", "Transition"],
  "UnstyledButton",
  "platform/[\\w-]+",
  "shell/(app|bell|connection-banner|frame|navigation|proof|providers|route-failed|session|sidebar|top-bar)",
  "shell/(use-navigation|user-menu)",
  "ui/(authenticating|confirm|display|empty-state|inline-error|jobs-query|lazy-popup|list-address|load-failed)",
  "ui/(page-header|plain-page|remembered|theme|toast|unread-query|unsaved|use-command|use-phone)",
]
const fields = ["CloseButton", "Input", "InputBase", "TextInput"]
const lists = [
  ...["NativeSelect", "Skeleton"],
  "ui/data-table/(?!bulk-bar\\.|bulk-dialog\\.|column-choices\\.|group-choices\\.|days-filter\\.|peek\\.|saved-views\\.|table-cards\\.)[\\w-]+",
  "ui/(breakable|day|document-number|list-page|money|page-tabs|popups|status-badge|summary-cards|trail)",
]
const record = ["ui/(record-actions|use-download|states)"]
const chunkPattern = (parts: string[]) => {
  const own = parts.filter((part) => /^(platform|shell|ui)\//.test(part)).join("|") || "-"
  const mantine = parts.filter((part) => !/^(platform|shell|ui)\//.test(part)).join("|")
  return new RegExp(
    `/web/src/(?:${own})(?:\\.module)?\\.[a-z]+(?:\\?|$)|/@mantine/core/esm/(?:components/)?(?:${mantine})/`,
  )
}

const lazyChunkNames = ["dashboard-charts", "chart-drawing"]

const sharedChunkNames = ["rolldown-runtime", "react", "vendor", "core", "hooks", "frame"]
const sharedChunkPattern = new RegExp(`/(${sharedChunkNames.join("|")})-[\\w-]+\\.js$`)

export default defineConfig({
  plugins: [tanstackRouter(routerOptions), react(), pdfDecoders(), compressed()],
  build: {
    target: "es2022",
    // The content security policy allows no inline scripts and no data: fonts.
    assetsInlineLimit: 0,
    // The app shell's chunks are already loaded; preloading them for each route would add a kilobyte of names.
    modulePreload: {
      polyfill: false,
      // Settings pages are rarely opened, so they list only their styles; scripts load on import.
      resolveDependencies: (page, files, { hostType }) =>
        hostType === "html"
          ? files
          : files.filter(
              (file) =>
                !sharedChunkPattern.test(file) && (file === page || !/\/set-/.test(page) || !file.endsWith(".js")),
            ),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Property reads have no side effects in the screens, so unused ones are removed.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // Readable names for all chunks would add a kilobyte to every page's list of files.
        chunkFileNames: ({ name, facadeModuleId }) => {
          if ([...sharedChunkNames, ...lazyChunkNames].includes(name)) return "assets/[name]-[hash].js"
          return /[\\/]settings[\\/]pages[\\/]/.test(facadeModuleId ?? "") ? "assets/set-[hash].js" : "assets/[hash].js"
        },
        codeSplitting: {
          groups: [
            // Separate chunks for libraries, so that browsers cache them across releases.
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: "vendor", test: /node_modules[\\/](@orpc|@tanstack|use-sync-external-store)[\\/]/ },
            {
              name: "routes",
              test: /src[\\/](routeTree\.gen\.ts|shell[\\/](root|app)\.tsx|[a-z-]+[\\/]pages[\\/][^?]+\.tsx)$/,
            },
            // Shell and list components in one chunk each, instead of a hundred.
            { name: "hooks", test: /node_modules[\\/](@mantine[\\/]hooks|@tabler|clsx)[\\/]/ },
            { name: "frame", test: chunkPattern(frame), includeDependenciesRecursively: false },
            { name: "fields", test: chunkPattern(fields), includeDependenciesRecursively: false },
            { name: "lists", test: chunkPattern(lists), includeDependenciesRecursively: false },
            { name: "record", test: chunkPattern(record), includeDependenciesRecursively: false },
            {
              name: "members",
              test: /[\\/]src[\\/]members[\\/](?!pages)[\w-]+-(actions|acts|bulk-steps|names|cover)\.|members\.api\./,
              includeDependenciesRecursively: false,
            },
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
