import type { ReactNode } from 'react'
import styles from './QrCode.module.css'

export interface QrCodeProps {
  src: string
  /** The alternative text: "QR code of the address". */
  alt: string
  /** Width and height in CSS pixels. */
  size: number
  /** The content as text, for people without a second camera. Shown beside the code, or below on narrow screens. */
  children: ReactNode
}

/** A QR code with its content. Dark on light in both themes, because not every camera reads inverted codes. */
export function QrCode({ src, alt, size, children }: QrCodeProps) {
  return (
    <div className={styles.code}>
      <img className={styles.picture} src={src} alt={alt} width={size} height={size} />
      <div className={styles.letters}>{children}</div>
    </div>
  )
}
