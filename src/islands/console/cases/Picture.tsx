import { type ReactNode, useEffect, useState } from 'react'
import { EXTENSIONS, type ImageType } from '../../../contract/uploads.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
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
}

/** A picture for operators only: fetched with their token, shown from memory, released on closing. */
export function Picture({ name, load, alt, saveAs, actions }: PictureProps) {
  const file = useResource(name, load)
  const url = useObjectUrl(getData(file))
  const [isWhole, setWhole] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (file.state === 'failed') return <LoadFailure msg={file.msg} onRetry={file.reload} />
  if (url === null)
    return (
      <Waiting label={`Loading ${alt}`}>
        <Skeleton width="full" height="block" />
      </Waiting>
    )
  if (isBroken) return <Notice tone="caution">This browser cannot show the file.</Notice>
  return (
    <div className={styles.picture}>
      {/* Focusable at full size, so that the keyboard scrolls it. */}
      <section
        className={joinClasses(styles.canvas, isWhole && styles.whole)}
        aria-label={alt}
        data-whole={isWhole || undefined}
        tabIndex={isWhole ? 0 : undefined}
      >
        <img src={url} alt={alt} onError={() => setBroken(true)} />
      </section>
      <div className={styles.pictureTools}>
        <Button size="small" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          Full size
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
