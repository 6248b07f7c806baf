import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'

interface OnSightProps {
  /** False while what stands above it still grows: it would be in sight for a moment only. */
  when: boolean
  /** What it is, in lower case: "sessions and activity". */
  what: string
  children: ReactNode
}

/**
 * What stands far down a page: it begins once it is scrolled into sight, and stays from then on. Who reads without
 * scrolling finds a button in its place.
 */
export function OnSight({ when, what, children }: OnSightProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!when || isSeen || place.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [when, isSeen])
  if (isSeen) return children
  return (
    <div ref={place}>
      <Panel>
        <Skeleton height="block" />
        <Button onClick={() => setSeen(true)}>Show {what}</Button>
      </Panel>
    </div>
  )
}
