import type { ReactNode } from 'react'
import styles from './QrCode.module.css'

export interface QrCodeProps {
  src: string
  /** What it holds: "QR code of the address". */
  alt: string
  /** Its width and height on the page, in pixels. */
  size: number
  /** What it holds in letters, for whoever has no second camera. Stands beside it, or under it where there is no room. */
  children: ReactNode
}

/** A QR code and what it holds. Dark on light in both themes: not every camera reads it the other way round. */
export function QrCode({ src, alt, size, children }: QrCodeProps) {
  return (
    <div className={styles.code}>
      <img className={styles.picture} src={src} alt={alt} width={size} height={size} />
      <div className={styles.letters}>{children}</div>
    </div>
  )
}
