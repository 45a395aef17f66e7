import { ActionIcon, Button, Loader, NativeSelect, rem, ScrollArea } from "@mantine/core"
import { IconChevronLeft, IconChevronRight, IconDownload, IconZoomIn, IconZoomOut } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import classes from "./document-viewer.module.css"
import { EmptyState } from "./empty-state.tsx"
import { isViewableInBrowser } from "./shown-here.ts"

const PdfPage = lazy(() => import("./pdf-page.tsx"))

export interface ViewableDocument {
  id: string
  name: string
  mime: string
  href: string
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

/**
 * PDFs and images with zoom and pages; other files as a download. The PDF reader loads with the first PDF.
 *
 *     <DocumentViewer documents={claim.documents.map((d) => ({
 *       id: d.id, name: d.name, mime: d.mime, href: `/api/claims/${claim.id}/documents/${d.id}`,
 *     }))} />
 */
export function DocumentViewer({ documents, height = 640 }: { documents: ViewableDocument[]; height?: number }) {
  const [chosen, setChosen] = useState<string>()
  const [zoom, setZoom] = useState(1)
  const [page, setPage] = useState(1)
  const [pages, setPages] = useState(1)
  const document = documents.find((each) => each.id === chosen) ?? documents[0]
  if (!document) return <EmptyState title="No documents">Documents are shown here once they are added.</EmptyState>
  const isPdf = document.mime === "application/pdf"
  const isImage = isViewableInBrowser(document) && !isPdf
  const choose = (id: string) => {
    setChosen(id)
    setPage(1)
    setPages(1)
  }
  const step = (by: number) => {
    const at = zooms.indexOf(zoom)
    setZoom(zooms[Math.min(Math.max(at + by, 0), zooms.length - 1)]!)
  }
  return (
    <section className={classes.viewer} aria-label="Documents">
      <div className={classes.bar}>
        {documents.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label="Document"
            className={classes.choice}
            value={document.id}
            onChange={(event) => choose(event.currentTarget.value)}
            data={documents.map((each) => ({ value: each.id, label: each.name }))}
          />
        ) : (
          <strong className={classes.choice}>{document.name}</strong>
        )}
        {isPdf && pages > 1 && (
          <span className={classes.tools}>
            <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => setPage(page - 1)}>
              <IconChevronLeft size={16} />
            </ActionIcon>
            <span className="tabular" aria-live="polite">
              {page} / {pages}
            </span>
            <ActionIcon aria-label="Next page" disabled={page >= pages} onClick={() => setPage(page + 1)}>
              <IconChevronRight size={16} />
            </ActionIcon>
          </span>
        )}
        {(isPdf || isImage) && (
          <span className={classes.tools}>
            <ActionIcon aria-label="Zoom out" disabled={zoom === zooms[0]} onClick={() => step(-1)}>
              <IconZoomOut size={16} />
            </ActionIcon>
            <button
              type="button"
              className={classes.zoom}
              aria-label={`${Math.round(zoom * 100)} %, fit to width`}
              onClick={() => setZoom(1)}
            >
              {Math.round(zoom * 100)} %
            </button>
            <ActionIcon aria-label="Zoom in" disabled={zoom === zooms.at(-1)} onClick={() => step(1)}>
              <IconZoomIn size={16} />
            </ActionIcon>
          </span>
        )}
        <ActionIcon component="a" href={document.href} download aria-label={`Download ${document.name}`}>
          <IconDownload size={16} />
        </ActionIcon>
      </div>
      <ScrollArea
        type="auto"
        className={classes.place}
        style={{ "--viewer-height": rem(height) }}
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": document.name }}
      >
        <div className={classes.sheet}>
          {isPdf ? (
            <Suspense fallback={<Loader m="auto" />}>
              <PdfPage
                key={document.id}
                href={document.href}
                name={document.name}
                page={page}
                zoom={zoom}
                onPages={setPages}
              />
            </Suspense>
          ) : isImage ? (
            <img key={document.id} src={document.href} alt={document.name} style={{ width: `${zoom * 100}%` }} />
          ) : (
            <EmptyState
              title="This file type cannot be previewed"
              action={
                <Button component="a" href={document.href} download variant="default">
                  Download {document.name}
                </Button>
              }
            />
          )}
        </div>
      </ScrollArea>
    </section>
  )
}
