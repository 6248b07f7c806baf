import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { EXTENSIONS, type ImageType, PDF_TYPE } from '../../../contract/uploads.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { formatFileSize } from '../../../design/takeOne.ts'
import { Waiting } from '../../lib/Loaded.tsx'
import { getData, useResource } from '../../lib/resource.ts'
import styles from './cases.module.css'

export interface PictureProps {
  /** The resource key, with everything that `load` depends on. */
  name: string
  /** Loads the file. A URL in `src` could not carry the session token. */
  load: () => Promise<Blob>
  alt: string
  /** Adds a save button with this file name. The extension is added by type. */
  saveAs?: string
  actions?: ReactNode
  /** Called once the file is loaded. */
  onShown?: () => void
}

/**
 * A picture for operators only: fetched with their token, shown from memory, released on closing. It zooms and turns by buttons, by a
 * double click, and by the keys + - R while it has the focus. A PDF is in the browser's own viewer; its page needs `frame-src blob:`.
 */
export function Picture({ name, load, alt, saveAs, actions, onShown }: PictureProps) {
  const file = useResource(name, load)
  const url = useObjectUrl(getData(file))
  const [view, setView] = useState<View>(FITTING)
  const [ratio, setRatio] = useState<number | null>(null)
  const [isBroken, setBroken] = useState(false)
  const isLoaded = file.state === 'ready'
  const tellShown = useEffectEvent(() => onShown?.())
  useEffect(() => {
    if (isLoaded) tellShown()
  }, [isLoaded])
  if (file.state === 'failed') return <LoadFailure msg={file.msg} onRetry={file.reload} />
  if (url === null)
    return (
      <Waiting label={`Loading ${alt}`}>
        <Skeleton width="full" height="block" />
      </Waiting>
    )
  if (file.state === 'ready' && file.data.type === PDF_TYPE)
    return (
      <div className={styles.picture}>
        <iframe src={`${url}#navpanes=0&view=FitH`} title={alt} className={styles.pdf} />
        <div className={styles.pictureTools}>
          {/* Browsers of phones show only the first page above, or none. */}
          <ButtonLink href={url} target="_blank" size="small">
            Open in a new tab
          </ButtonLink>
          <ButtonLink href={url} download={`${saveAs ?? 'document'}.pdf`} size="small">
            Save the PDF ({formatFileSize(file.data.size)})
          </ButtonLink>
        </div>
      </div>
    )
  if (isBroken) return <Notice tone="caution">This browser cannot show the file.</Notice>
  const change = (step: keyof typeof STEPS) => setView(STEPS[step])
  const isZoomed = view.zoom > 1
  const isOnItsSide = view.turned % 180 !== 0
  // Its sides as it is shown.
  const shownRatio = ratio === null || !isOnItsSide ? ratio : 1 / ratio
  return (
    <div className={styles.picture}>
      {/* Focusable, so that the keyboard scrolls and turns it. */}
      <section
        className={styles.canvas}
        aria-label={alt}
        data-whole={isZoomed || undefined}
        {...FOCUSABLE}
        onDoubleClick={() => setView(isZoomed ? { ...view, zoom: 1 } : { ...view, zoom: 2 })}
        onKeyDown={(event) => {
          const step = KEYS[event.key]
          if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
          // The case has keys of its own.
          event.stopPropagation()
          change(step)
        }}
      >
        <div
          className={ratio === null ? undefined : styles.sized}
          style={
            {
              '--ratio': shownRatio,
              '--zoom': view.zoom,
              '--side': isOnItsSide ? '100cqh' : '100cqw',
              '--turned': `${view.turned}deg`,
            } as CSSProperties
          }
        >
          <img
            src={url}
            alt={alt}
            onError={() => setBroken(true)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setRatio(naturalHeight > 0 ? naturalWidth / naturalHeight : null)
            }
          />
        </div>
      </section>
      <div className={styles.pictureTools}>
        <Button size="small" disabled={view.zoom >= MOST_ZOOM} onClick={() => change('in')}>
          Zoom in
        </Button>
        <Button size="small" disabled={!isZoomed} onClick={() => change('out')}>
          Zoom out
        </Button>
        <Button size="small" onClick={() => change('turn')}>
          Rotate
        </Button>
        {saveAs !== undefined && file.state === 'ready' && (
          <ButtonLink href={url} download={`${saveAs}${getExtension(file.data.type)}`} size="small">
            Save
          </ButtonLink>
        )}
        {actions}
      </div>
    </div>
  )
}

interface View {
  /** 1 shows all of it. */
  readonly zoom: number
  /** Clockwise, in degrees. */
  readonly turned: number
}

const FITTING: View = { zoom: 1, turned: 0 }
const MOST_ZOOM = 6

const STEPS = {
  in: (view: View) => ({ ...view, zoom: Math.min(MOST_ZOOM, view.zoom * 1.5) }),
  out: (view: View) => ({ ...view, zoom: Math.max(1, view.zoom / 1.5) }),
  turn: (view: View) => ({ ...view, turned: (view.turned + 90) % 360 }),
}

/** The keys of a picture that has the focus. */
const KEYS: Readonly<Record<string, keyof typeof STEPS>> = { '+': 'in', '=': 'in', '-': 'out', r: 'turn' }

function getExtension(type: string): string {
  return type in EXTENSIONS ? `.${EXTENSIONS[type as ImageType]}` : ''
}

function useObjectUrl(file: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === undefined) return
    const objectUrl = URL.createObjectURL(file)
    setUrl(objectUrl)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(objectUrl)
    }
  }, [file])
  return url
}

// Safari does not focus what scrolls by itself.
const FOCUSABLE = { tabIndex: 0 } as const
