import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '../../../design/Notice.tsx'

export interface SaidProps {
  tone: 'success' | 'info' | 'caution'
  title?: string
  text: ReactNode
}

/** What was just done. It takes the focus, since the button that did it has gone. */
export function Said({ tone, title, text }: SaidProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1}>
      <Notice tone={tone} {...(title !== undefined && { title })}>
        {text}
      </Notice>
    </div>
  )
}
