import { useEffect, useMemo, useState } from 'react'
import { encode } from 'uqr'
import { encodePsbtFrames } from '../../../chain/bitcoin/animatedQr.ts'
import { Button } from '../../../design/Button.tsx'
import styles from './Payouts.module.css'

/** How long one frame is shown: slow enough for the cameras of hardware wallets. */
const FRAME_MS = 250

/**
 * The PSBT as QR codes that hardware wallets scan one after the other. They move unless the visitor prefers no motion; then buttons
 * step through them.
 */
export function PsbtQr({ psbt }: { psbt: Uint8Array }) {
  const frames = useMemo(() => encodePsbtFrames(psbt), [psbt])
  const [place, setPlace] = useState(0)
  const [isMoving, setMoving] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const skipFrames = (by: number) => setPlace((before) => (before + by + frames.length) % frames.length)
  useEffect(() => {
    if (!isMoving || frames.length < 2) return
    const timer = setInterval(() => setPlace((before) => (before + 1) % frames.length), FRAME_MS)
    return () => clearInterval(timer)
  }, [isMoving, frames])
  const count = `${place + 1} of ${frames.length}`
  return (
    <>
      <QrPicture
        text={frames[place] ?? ''}
        label={`QR code of the PSBT, part ${isMoving ? 'by part' : count}`}
      />
      {frames.length > 1 && (
        <>
          <div className="row">
            <Button size="small" onClick={() => setMoving(!isMoving)}>
              {isMoving ? 'Stop' : 'Play'}
            </Button>
            {!isMoving && (
              <>
                <Button size="small" onClick={() => skipFrames(-1)}>
                  Previous
                </Button>
                <Button size="small" onClick={() => skipFrames(1)}>
                  Next
                </Button>
                <span className="small soft" role="status">
                  {`Part ${count}`}
                </span>
              </>
            )}
          </div>
          <p className="small soft">
            For hardware wallets with a camera. Hold it to the screen until it has all parts.
          </p>
        </>
      )}
    </>
  )
}

function QrPicture({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'L', border: 2 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
