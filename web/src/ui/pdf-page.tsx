import { Loader } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist"
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url"
import { type RefObject, useEffect, useRef, useState } from "react"
import { errorTextOf } from "../platform/errors.ts"
import classes from "./document-viewer.module.css"
import { LoadFailed } from "./load-failed.tsx"

GlobalWorkerOptions.workerSrc = workerUrl

interface PdfPageProps {
  href: string
  name: string
  page: number
  zoom: number
  onPages: (pages: number) => void
}

/** Own chunk, because it imports the PDF reader. */
export default function PdfPage({ href, name, page, zoom, onPages }: PdfPageProps) {
  const file = useQuery({
    queryKey: ["pdf", href],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: 1,
    queryFn: async ({ signal }) => {
      const response = await fetch(href, { signal })
      if (!response.ok) throw new Error(`answered ${response.status}`)
      return response.arrayBuffer()
    },
  })
  const [document, setDocument] = useState<PDFDocumentProxy>()
  const [failure, setFailure] = useState<unknown>()
  const bytes = file.data
  useEffect(() => {
    if (!bytes) return
    // The content security policy forbids WebAssembly, so scanned pages are decoded in JavaScript.
    const loading = getDocument({ data: bytes.slice(0), useWasm: false, wasmUrl: "/pdf/", enableXfa: false })
    let gone = false
    loading.promise.then(
      (loaded) => {
        if (gone) return
        setDocument(loaded)
        onPages(loaded.numPages)
      },
      (error: unknown) => {
        if (!gone) setFailure(error)
      },
    )
    return () => {
      gone = true
      setDocument(undefined)
      void loading.destroy()
    }
  }, [bytes, onPages])
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState("")
  const room = useAvailableWidth(canvas, document)
  useEffect(() => {
    const place = canvas.current
    if (!document || !place || room === 0) return
    let task: { cancel: () => void } | undefined
    let gone = false
    const draw = async () => {
      const sheet = await document.getPage(Math.min(page, document.numPages))
      if (gone) return
      const scale = ((room - 32) / sheet.getViewport({ scale: 1 }).width) * zoom
      const density = window.devicePixelRatio || 1
      const viewport = sheet.getViewport({ scale: scale * density })
      place.width = Math.floor(viewport.width)
      place.height = Math.floor(viewport.height)
      place.style.width = `${Math.floor(viewport.width / density)}px`
      place.style.height = `${Math.floor(viewport.height / density)}px`
      const rendering = sheet.render({ canvas: place, viewport })
      task = rendering
      await rendering.promise
      const content = await sheet.getTextContent()
      if (!gone) setText(content.items.map((item) => ("str" in item ? item.str : "")).join(" "))
    }
    draw().catch((error: unknown) => {
      if (!gone) setFailure(error)
    })
    return () => {
      gone = true
      task?.cancel()
    }
  }, [document, page, zoom, room])
  if (file.isError) return <LoadFailed error={file.error} onRetry={file.refetch} busy={file.isFetching} />
  if (failure) {
    return (
      <p className={classes.unreadable}>This PDF cannot be shown here. {errorTextOf(failure)} Download it instead.</p>
    )
  }
  return (
    <>
      {!document && <Loader m="auto" />}
      <canvas
        ref={canvas}
        className={classes.canvas}
        role="img"
        aria-label={`${name}, page ${page}`}
        hidden={!document}
      />
      <p className="visually-hidden">{text}</p>
    </>
  )
}

/** Tracks the available width; the zoomed page may be wider and scrolls. */
function useAvailableWidth(
  canvas: RefObject<HTMLCanvasElement | null>,
  document: PDFDocumentProxy | undefined,
): number {
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const place = document && canvas.current?.closest("[role=group]")
    if (!place) return
    const observer = new ResizeObserver(() => setRoom(place.clientWidth))
    observer.observe(place)
    return () => observer.disconnect()
  }, [canvas, document])
  return room
}
